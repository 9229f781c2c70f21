/** The static facts of a displayed client, as the kernel wrote them into the output; untrusted. */
import { boundedText, isAmount, isMap, textOf } from '../../base/untrusted';
import type { Seconds } from '../../base/units';
import type { ClientInfo } from '../../feed/kernel/kernel-channel';
import { CLIENT_STATUSES, readClient } from '../../feed/kernel/parse-clients';

/** Supported version of the JSON. */
export const VERSION = 1;

/** Facts of a client or cluster at the time it was displayed. */
export interface ClientFacts {
  readonly kind: 'client' | 'cluster';
  /** Kernel's wall clock when the facts were taken. */
  readonly time: Seconds;
  /** The key is '' for a cluster without a client. */
  readonly info: ClientInfo;
  /** The kernel's id of a displayed cluster, else ''. */
  readonly handle: string;
}

/** Longest text of a field; longer ones are cut, since an output may contain anything. */
const LONGEST_TEXT = 300;

/** A kernel's id of a displayed cluster. */
const HANDLE = /^[0-9a-f]{32}$/;

/** Control characters, and marks that can change the displayed reading order. */
const INVISIBLE = /[\p{Cc}\p{Bidi_Control}]/gu;

const KINDS: readonly ClientFacts['kind'][] = ['client', 'cluster'];
/** Fields that every kernel writes. Without one of them, the output is that of another program, or damaged. */
const TEXTS = ['key', 'variable', 'cluster', 'address', 'dashboard', 'dashboardReason', 'limited', 'scheduler'] as const;
const AMOUNTS = ['time', 'workers', 'threads', 'memoryLimit', 'created'] as const;

/**
 * Read the JSON of an output. A saved notebook may have been written by anyone, so all fields must be there, and texts are
 * shortened to what a card shows.
 *
 * @returns the facts, or `null` if this version cannot read them
 */
export function readFacts(value: unknown): ClientFacts | null {
  const kind = isMap(value) ? KINDS.find(each => each === value.kind) : undefined;
  if (!isMap(value) || value.version !== VERSION || kind === undefined || !isComplete(value)) {
    return null;
  }
  const { time, status, workers, threads, memoryLimit, created, dashboard, scaling } = value;
  const texts = TEXTS.map(name => [name, shown(textOf(value[name]))]);
  const info = readClient({
    ...{ ...Object.fromEntries(texts), status, workers, threads, memoryLimit, created },
    dashboard: textOf(dashboard).replace(INVISIBLE, ''),
    ...(typeof scaling === 'string' ? { scaling: shown(scaling) } : {})
  });
  const handle = HANDLE.test(textOf(value.handle)) ? textOf(value.handle) : '';
  return info === null || !isAmount(time) ? null : { kind, time, handle, info };
}

function isComplete(value: Readonly<Record<string, unknown>>): boolean {
  return (
    CLIENT_STATUSES.some(status => status === value.status) &&
    TEXTS.every(name => typeof value[name] === 'string') &&
    AMOUNTS.every(name => isAmount(value[name]))
  );
}

function shown(text: string): string {
  const visible = boundedText(text, LONGEST_TEXT + 1).replace(INVISIBLE, '');
  const cut = boundedText(visible, LONGEST_TEXT);
  return cut === visible ? visible : `${boundedText(visible, LONGEST_TEXT - 1)}…`;
}
