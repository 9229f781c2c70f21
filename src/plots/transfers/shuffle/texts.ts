/** Words and figures of P2P shuffles. */
import { formatBytes, formatCount, formatDuration, formatPercent } from '../../../base/format';
import type { Bytes } from '../../../base/units';
import type { Translate } from '../../../plot/plot';
import { oneLine } from '../../../plot/text';
import type { Run } from '../../../run/run';
import { sinceStartWords } from '../../../selectors/moments';
import { atEnd } from '../../../selectors/run-end';
import type { Shuffle, ShuffleBytes } from '../../../run/logs/shuffles';

/** What a shuffle is called: its kind with its number. */
export function calledShuffle({ id, kind }: Shuffle, trans: Translate): string {
  const known: Readonly<Record<string, string>> = {
    ArrayRechunkSpec: trans.__('rechunk'),
    DataFrameShuffleSpec: trans.__('shuffle')
  };
  const word = Object.hasOwn(known, kind) ? known[kind] : oneLine(kind) || trans.__('shuffle');
  return `${word} ${formatCount(id + 1)}`;
}

/** The phase of a shuffle, as text. */
export function stateWords(shuffle: Shuffle, trans: Translate): string {
  return {
    sending: trans.__('sending'),
    unpacking: trans.__('unpacking'),
    done: trans.__('done'),
    failed: trans.__('failed'),
    stopped: trans.__('stopped')
  }[shuffle.state];
}

/** The same, of a run that has ended as of its end. */
export function stateAtEnd(run: Run, shuffle: Shuffle, trans: Translate): string {
  const words = stateWords(shuffle, trans);
  return running(shuffle) ? atEnd(run, words, trans) : words;
}

/** Whether a shuffle has not ended. */
export function running({ state }: Shuffle): boolean {
  return state === 'sending' || state === 'unpacking';
}

/** Whether bytes are missing in the sums of a shuffle: those of workers without a heartbeat, and those after the last one. */
function isPartial(shuffle: Shuffle): boolean {
  return shuffle.reporting < shuffle.workers || !running(shuffle);
}

/** Bytes of some shuffles: `≥ 3.00 MiB` where some are missing. */
export function bytesText(bytes: Bytes, shuffles: readonly Shuffle[]): string {
  return `${Number.isFinite(bytes) && shuffles.some(isPartial) ? '≥ ' : ''}${formatBytes(bytes)}`;
}

/** An amount of a shuffle. What is in memory falls again, so that what is missing in it says nothing. */
export function amountText(shuffle: Shuffle, name: ShuffleBytes): string {
  return name === 'to_send' || name === 'to_store' ? formatBytes(shuffle[name]) : bytesText(shuffle[name], [shuffle]);
}

/** Share of tasks that have run; NaN if not known. */
export function share(done: number, all: number): number {
  return all > 0 ? Math.min(1, done / all) : Number.NaN;
}

/** Tasks that have run, of all: "3 of 10, 30 %". */
export function doneText(done: number, all: number, trans: Translate): string {
  const part = share(done, all);
  return trans.__('%1 of %2', formatCount(done), formatCount(all)) + (Number.isFinite(part) ? `, ${formatPercent(part)}` : '');
}

/** How long a shuffle has taken; NaN if not known. */
export function took(run: Run, shuffle: Shuffle): number {
  return (running(shuffle) ? run.clock.latest : shuffle.stop) - shuffle.start;
}

/** Begin, end and duration as rows of a tooltip. */
export function timeRows(run: Run, shuffle: Shuffle, trans: Translate): [string, string][] {
  const since = (time: number): string => sinceStartWords(time, run, trans, 1);
  return [
    [trans.__('Started'), since(shuffle.start)],
    ...(running(shuffle) ? [] : [[trans.__('Ended'), since(shuffle.stop)] as [string, string]]),
    [trans.__('Duration'), formatDuration(took(run, shuffle))]
  ];
}

/** Name of an amount. */
export function amountWords(name: ShuffleBytes, trans: Translate, onDisk: boolean | null = null): string {
  const stored = onDisk === null ? trans.__('Stored') : onDisk ? trans.__('Written to disk') : trans.__('Kept in memory');
  return {
    sent: trans.__('Sent'),
    received: trans.__('Received'),
    to_send: trans.__('In memory, to be sent'),
    stored,
    to_store: trans.__('In memory, to be stored'),
    read_back: trans.__('Read for the output')
  }[name];
}
