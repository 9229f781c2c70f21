/** The static facts of a displayed client, as the kernel wrote them into the output; untrusted. */
import { isMap } from '../../base/untrusted';
import type { Seconds } from '../../base/units';
import { type ClientInfo, RECORDING_KEY } from '../../feed/kernel/kernel-channel';

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
/** Longest link; browsers and proxies agree on about this limit. */
const LONGEST_LINK = 2000;
/** Largest plausible number in any field. */
const LARGEST = 2 ** 53;

/** A kernel's id of a displayed cluster. */
const HANDLE = /^[0-9a-f]{32}$/;

/** Control characters, and marks that can change the displayed reading order. */
const INVISIBLE = /[\p{Cc}\p{Bidi_Control}]/gu;

/**
 * Parse the JSON of an output. A saved notebook may have been written by anyone, so each field is checked and cut.
 *
 * @returns the facts, or `null` if this version cannot read them
 */
export function readFacts(value: unknown): ClientFacts | null {
  if (!isMap(value) || value.version !== VERSION) {
    return null;
  }
  const kind = oneOf(value.kind, ['client', 'cluster'] as const);
  const status = oneOf(value.status, ['running', 'connecting', 'closed'] as const);
  const texts = fields(value, ['key', 'variable', 'cluster', 'address', 'dashboardReason', 'limited', 'scheduler'], text);
  const numbers = fields(value, ['time', 'workers', 'threads', 'memoryLimit', 'created'], amount);
  const dashboard = typeof value.dashboard === 'string' ? value.dashboard : null;
  if (kind === null || status === null || texts === null || numbers === null || dashboard === null) {
    return null;
  }
  if (texts.key.startsWith(RECORDING_KEY)) {
    // An output must not open a file.
    return null;
  }
  const { time, ...counted } = numbers;
  const link = dashboard.length <= LONGEST_LINK ? dashboard.replace(INVISIBLE, '') : '';
  const handle = typeof value.handle === 'string' && HANDLE.test(value.handle) ? value.handle : '';
  const scaling = typeof value.scaling === 'string' ? { scaling: text(value.scaling) ?? '' } : {};
  return { kind, time, handle, info: { ...texts, ...counted, ...scaling, status, dashboard: link } };
}

function oneOf<T extends string>(value: unknown, choices: readonly T[]): T | null {
  return choices.find(choice => choice === value) ?? null;
}

/** Several fields of one type; `null` if any has another type. */
function fields<K extends string, T>(
  source: Readonly<Record<string, unknown>>,
  names: readonly K[],
  read: (value: unknown) => T | null
): Record<K, T> | null {
  const entries: [K, T][] = [];
  for (const name of names) {
    const value = read(source[name]);
    if (value === null) {
      return null;
    }
    entries.push([name, value]);
  }
  return Object.fromEntries(entries) as Record<K, T>;
}

function text(value: unknown): string | null {
  if (typeof value !== 'string') {
    return null;
  }
  const visible = value.slice(0, LONGEST_TEXT + 1).replace(INVISIBLE, '');
  return visible.length > LONGEST_TEXT ? `${visible.slice(0, LONGEST_TEXT - 1)}…` : visible;
}

function amount(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && value <= LARGEST ? value : null;
}
