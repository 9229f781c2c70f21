import type { ViewHost } from './view';

/**
 * The same holder for a view whose parts each save what they know: what another part has saved stays. A holder keeps only
 * what was saved last.
 */
export function mergedSaves(host: ViewHost): ViewHost {
  let saved = host.saved;
  const save: ViewHost['save'] = state => {
    saved = { ...saved, ...state };
    host.save(saved);
  };
  // The other members stay those of the holder, which may change.
  return Object.create(host, { save: { value: save } }) as ViewHost;
}
