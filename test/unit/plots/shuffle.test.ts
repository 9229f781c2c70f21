import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import type { Scalar } from '../../../src/feed/frame';
import { SHUFFLE_STATE, type ShuffleState } from '../../../src/feed/schema';
import { commaSeparated } from '../../../src/plot/csv';
import { shuffle } from '../../../src/plots/transfers/shuffle';
import { frozen } from '../../../src/run/frozen';
import { Run } from '../../../src/run/run';
import { SHUFFLE_BYTES } from '../../../src/run/logs/shuffles';
import { render } from '../views/render';
import { context } from './cluster';
import { dataOf } from './drawing';

beforeEach(() => setNumberLocale('en'));

const T0 = 1_700_000_000;
const MB = 1024 ** 2;
const FRAME = { width: 600, height: 300, firstRow: 0, endRow: 9 };
const NAN = Number.NaN;

interface Made {
  id: number;
  state?: ShuffleState;
  tasks?: readonly [inputs: number, inputsDone: number, outputs: number, outputsDone: number];
  bytes?: readonly number[];
  stop?: number;
  kind?: string;
  name?: string;
  at?: readonly (readonly number[])[];
  reporting?: number;
}

const BYTES = [8 * MB, 7 * MB, MB, 6 * MB, 2 * MB, 3 * MB];

function made(list: readonly Made[], { run = new Run(), now = 20, kept = 0 } = {}): Run {
  const column = (of: (made: Made) => number): Float64Array => Float64Array.from(list, of);
  const tasks = (i: number): Float64Array => column(({ tasks: counts }) => (counts ?? [10, 10, 20, 5])[i]);
  const columns = {
    id: column(({ id }) => id),
    state: Uint8Array.from(list, ({ state }) => SHUFFLE_STATE.indexOf(state ?? 'unpacking')),
    start: column(() => T0 + 5),
    stop: column(({ stop }) => (stop === undefined ? NAN : T0 + stop)),
    workers: column(() => 2),
    ...{ inputs: tasks(0), inputs_done: tasks(1), outputs: tasks(2), outputs_done: tasks(3) },
    told: column(({ reporting }) => reporting ?? 2),
    ...Object.fromEntries(SHUFFLE_BYTES.map((name, i) => [name, column(({ bytes }) => (bytes ?? BYTES)[i])]))
  };
  const texts: Scalar = list.map(({ id, name, kind }) => ({
    ...{ id, name: name ?? `hash ${id}`, kind: kind ?? 'ArrayRechunkSpec', on_disk: true }
  }));
  const at: Scalar = list.flatMap(each => (each.at ?? []).map(row => [each.id, ...row]));
  const values = ['a', '<b>x</b>\u202e'].map((name, i) => ({
    ...{ address: `tcp://w${i}`, name, host: 'h', nthreads: 1, memory_limit: 1, version: '' }
  }));
  const topics = { shuffles: { columns, scalars: { kept, texts, at } } };
  const names = { workers: { from: 0, values: run.workerNames.length > 0 ? [] : values } };
  names.workers.from = run.workerNames.length;
  run.apply({ feed: 'made', epoch: 0, seq: 0, time: T0 + now, cursor: {}, names, topics }, (T0 + now) * 1000);
  return run;
}

const AT = [
  [0, 5 * MB, 4 * MB, MB, 3 * MB, MB, 2 * MB],
  [1, 3 * MB, 3 * MB, 0, 3 * MB, MB, NAN]
];
const LIST: readonly Made[] = [
  { id: 0, state: 'done', stop: 9, tasks: [10, 10, 20, 20] },
  { id: 1, at: AT, kind: 'DataFrameShuffleSpec' },
  { id: 2, state: 'sending', tasks: [10, 4, 20, 0], reporting: 0, bytes: Array<number>(6).fill(NAN) }
];
const title = (run: Run): string =>
  shuffle
    .titleLine(run, context())
    .map(part => part.text)
    .join(' · ');
const cells = (run: Run): string[][] => shuffle.table(run, context()).rows.map(row => row.cells.map(cell => cell.text));

describe('shuffle', () => {
  it('says that bytes are missing: of workers without a heartbeat, and after the last one', () => {
    const sent = (each: Partial<Made>): (string | undefined)[] => {
      const run = made([{ id: 0, ...each }]);
      const { texts, hits } = dataOf(shuffle, run, context(), FRAME);
      const { rows } = hits[0].tooltip as { rows: string[][] };
      const figure = texts.map(row => String(row.text)).find(text => text.endsWith('8.00 MiB'));
      return [title(run).split(' · ').at(-2), cells(run)[0][5], figure, rows[3][1]];
    };
    const all = (text: string): string[] => [`${text} sent`, text, text, text];
    expect(sent({})).toEqual(all('8.00 MiB'));
    expect(sent({ reporting: 1 })).toEqual(all('≥ 8.00 MiB'));
    expect(sent({ state: 'done', stop: 9 })).toEqual(all('≥ 8.00 MiB'));
    // What is in memory has gone by the end.
    expect(cells(made([{ id: 0, state: 'done', stop: 9 }]))[0].slice(6, 11)).toEqual([
      ...['≥ 7.00 MiB', '1.00 MiB', '≥ 6.00 MiB', '2.00 MiB', '≥ 3.00 MiB']
    ]);
  });

  it('shows how far each shuffle is and what it moved', () => {
    const run = made(LIST);
    expect(title(run)).toBe('2 running · 1 done · ≥ 16.0 MiB sent · ≥ 12.0 MiB written to disk');
    expect(shuffle.summary(run, context())).toMatch(/^Shuffle, 2 running/);
    expect(shuffle.legend(run, context()).map(item => item.label)).toEqual(['input tasks done', 'output tasks done']);
    const { texts, segments, hits } = dataOf(shuffle, run, context(), FRAME);
    expect(texts.map(row => row.text)).toEqual(expect.arrayContaining(['rechunk 3', 'shuffle 2', 'rechunk 1', 'done', '–']));
    expect(segments.map(row => row.value)).toEqual([0.4, 1, 0.25, 1, 1]);
    expect((hits[1].tooltip as { rows: string[][] }).rows).toEqual([
      ['Input tasks done', '10 of 10, 100 %'],
      ['Output tasks done', '5 of 20, 25 %'],
      ['Workers', '2'],
      ['Sent', '8.00 MiB'],
      ['Received', '7.00 MiB'],
      ['In memory, to be sent', '1.00 MiB'],
      ['Written to disk', '6.00 MiB'],
      ['In memory, to be stored', '2.00 MiB'],
      ['Read for the output', '3.00 MiB'],
      ['Started', expect.any(String)],
      ['Duration', '15.0 s']
    ]);
  });

  it('has a row for each shuffle and each of its workers, as text', () => {
    const rows = cells(made(LIST));
    expect(rows.map(row => row.slice(0, 6))).toEqual([
      ['rechunk 3', 'all', 'sending', '4 of 10, 40 %', '0 of 20, 0 %', '–'],
      ['shuffle 2', 'all', 'unpacking', '10 of 10, 100 %', '5 of 20, 25 %', '8.00 MiB'],
      ['shuffle 2', 'a', '', '', '', '5.00 MiB'],
      ['shuffle 2', '<b>x</b>', '', '', '', '3.00 MiB'],
      ['rechunk 1', 'all', 'done', '10 of 10, 100 %', '20 of 20, 100 %', '≥ 8.00 MiB']
    ]);
    // As it is called everywhere: its number counts from 1.
    const saved = commaSeparated(shuffle.table(made(LIST), context())).split('\r\n');
    expect(saved.slice(1, 4).map(line => line.split(',').slice(0, 2).join())).toEqual([
      'rechunk 3,',
      'shuffle 2,',
      'shuffle 2,a'
    ]);
    expect(new Set(rows.map(row => row.length))).toEqual(new Set([shuffle.table(made(LIST), context()).columns.length]));
  });

  it('shows workers of running shuffles, and of the newest one if none runs', () => {
    const workers = { ...context(), options: { by: 'worker' } };
    const labels = (run: Run): unknown[] => dataOf(shuffle, run, workers, FRAME).texts.map(row => row.text);
    expect(labels(made(LIST))).toEqual(expect.arrayContaining(['a · shuffle 2', '<b>x</b> · shuffle 2']));
    const over = made([{ id: 4, state: 'done', stop: 9, at: AT }]);
    expect(labels(over)).toEqual(expect.arrayContaining(['a · rechunk 5']));
    expect(shuffle.empty(made([{ id: 1 }]), workers)?.head).toBe('No bytes by worker are known.');
    expect(shuffle.legend(over, workers).map(item => item.label)).toEqual(['Received', 'Read for the output']);
  });

  it('says why there is nothing, and what is not known', () => {
    expect(shuffle.empty(new Run(), context())?.head).toBe('No P2P shuffle has run.');
    expect(shuffle.empty(made(LIST), context())).toBeNull();
    expect(shuffle.notes(made(LIST.slice(1, 2)), context())).toEqual([]);
    // Of more than 100 workers, those that moved least are not in the feed.
    const many = made([{ id: 1, at: AT, reporting: 150 }]);
    expect(shuffle.notes(many, context())).toEqual(['of each shuffle, the 2 workers that moved most are listed']);
    expect(shuffle.notes(made(LIST), context())).toEqual(['bytes of ended shuffles: as of the last heartbeats before their end']);
    expect(shuffle.titleLine(new Run(), context())).toEqual([]);
    const short = made([{ id: 7, state: 'done', stop: 6, reporting: 0, bytes: Array<number>(6).fill(NAN) }], { kept: 7 });
    expect(shuffle.notes(short, context())).toEqual([
      'bytes of 1 shuffle not known: it ended before a heartbeat of it was read',
      '7 earlier shuffles not kept'
    ]);
  });

  it('replaces a shuffle with later data, and drops those that are not kept', () => {
    const run = made(LIST);
    const copy = frozen(run);
    made([{ id: 1, state: 'failed', stop: 12 }], { run, kept: 1 });
    expect(run.shuffles.list.map(({ id, state }) => [id, state])).toEqual([
      [2, 'sending'],
      [1, 'failed']
    ]);
    expect(run.shuffles.list[1].at.size).toBe(0);
    expect(title(run)).toMatch(/1 running · 1 failed/);
    expect(title(copy)).toMatch(/^2 running · 1 done/);
  });

  it.each([
    ['none', []],
    ['one', LIST.slice(1, 2)],
    ['many', Array.from({ length: 50 }, (_, id) => ({ id, state: SHUFFLE_STATE[id % 5], stop: 9, at: AT }))],
    ['odd amounts', [{ id: 1048575, bytes: [1e24, 0, NAN, 1e24, 1, NAN], tasks: [NAN, 5, 0, 0] as const, stop: NAN }]],
    [
      'odd texts',
      [
        { id: 1, kind: 'constructor', name: '\u202e<b>' },
        { id: 2, kind: '' }
      ]
    ]
  ])('has a picture of %s', async (_name, list: readonly Made[]) => {
    for (const [width, height] of [
      [90, 30],
      [300, 200],
      [2000, 900]
    ]) {
      for (const by of ['shuffle', 'worker']) {
        const { svg, fault } = await render(shuffle, made(list), { width, height, dark: true, choices: { by } });
        expect(fault).toBeNull();
        expect(svg).not.toMatch(/NaN|undefined|Infinity|width="-/);
      }
    }
  });
});
