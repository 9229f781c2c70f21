// `npm run test:pictures [-- --write] [--plots=ID,…] [FILE...]`: the demo and the examples of a healthy and an unhealthy task
// stream, as a user runs them, until every sight of the documentation's pictures is there. `--write` writes the pictures into
// docs/, and those of "How to read this plot" into style/pictures. Minutes of real work, so not a part of `npm test`.
import { playwright } from './lib/chromium.mjs';
import { main } from './lib/process.mjs';
import { setup } from './setup.mjs';

await main(async () => {
  await setup();
  const words = process.argv.slice(2);
  const plots = words.find(word => word.startsWith('--plots='))?.slice('--plots='.length);
  /** @type {Record<string, string>} */
  const env = {
    ...(words.includes('--write') ? { UPDATE_SCREENSHOTS: '1' } : {}),
    ...(plots === undefined ? {} : { DASK_PANES_TEST_PLOTS: plots })
  };
  const rest = words.filter(word => word !== '--write' && !word.startsWith('--plots='));
  return playwright('pictures', rest, env);
});
