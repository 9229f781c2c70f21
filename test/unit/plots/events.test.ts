import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { events } from '../../../src/plots/diagnosis/events';
import { frozen } from '../../../src/run/frozen';
import { Run } from '../../../src/run/run';
import { selectionOf } from '../../../src/run/selection/selection';
import { clockAt } from '../../../src/selectors/moments';
import { isDimmed } from '../../../src/views/table/row-actions';
import { cluster, context, step } from './cluster';

beforeEach(() => setNumberLocale('en'));

const texts = (run: Run): string[][] => events.table(run, context()).rows.map(row => row.cells.map(cell => cell.text));
const ids = (run: Run): string[] => events.table(run, context()).rows.map(row => row.id);
const joined = { time: 1000, topic: 'all', action: 'add-worker', text: '{"action": "add-worker"}' };
const left = { time: 1065, topic: 'all', action: 'remove-worker', text: '{"worker": "tcp://10.0.0.1:40"}' };

describe('events', () => {
  it('are rows, the newest first, with time after the start and the whole text', () => {
    const run = cluster({ time: 1000, events: [joined] });
    step(run, { time: 1070, events: [left] });
    expect(texts(run).map(([time, , ...rest]) => [time, ...rest])).toEqual([
      ['1:05', 'all', 'remove-worker', '{"worker": "tcp://10.0.0.1:40"}'],
      ['0:00', 'all', 'add-worker', '{"action": "add-worker"}']
    ]);
    expect(events.titleLine(run, context()).map(part => part.text)).toEqual(['2 events', 'remove-worker 1', 'add-worker 1']);
    expect(events.summary(run, context())).toBe('2 events, remove-worker 1, add-worker 1; the last was remove-worker at 1:05.');
    expect(events.empty(run, context())).toBeNull();
  });

  it('have all of their text below the table', () => {
    const run = cluster({ events: [{ ...joined, text: 'two\nlines' }] });
    const [id] = ids(run);
    expect(events.detail?.(run, id, context())).toMatchObject({ title: 'add-worker', text: 'two\nlines' });
    expect(events.detail?.(run, '7', context())).toBeNull();
  });

  it('have the day of the clock where that is another one: a run may go on over midnight', () => {
    const at = (day: number, hour: number, year = 2026): number => new Date(year, 10, day, hour, 2, 7).getTime() / 1000;
    const run = cluster({ time: at(21, 23), events: [{ ...joined, time: at(21, 23) }] });
    expect(texts(run).map(row => row[1])).toEqual(['23:02:07']);
    step(run, { time: at(22, 1), events: [{ ...left, time: at(22, 1) }] });
    expect(texts(run).map(row => row[1])).toEqual(['01:02:07', expect.stringMatching(/21.*, 23:02:07$/)]);
    step(run, { time: at(1, 1, 2027), events: [] });
    expect(texts(run)[1][1]).toMatch(/2026/);
    expect(clockAt(Number.NaN, run)).toBe('–');
    expect(clockAt(at(21, 23), new Run())).toBe('23:02:07');
  });

  it('keep hostile text as one line of text', () => {
    const text = `<img src=x onerror="alert(1)">\n\u202e${'x'.repeat(2000)}`;
    const [row] = texts(cluster({ events: [{ time: 1000, topic: '<b>', action: 'two\nlines', text }] }));
    expect(row.slice(2, 4)).toEqual(['<b>', 'two lines']);
    expect(row[4]).toMatch(/^<img src=x onerror="alert\(1\)"> x+…$/);
    expect(row[4].length).toBe(1000);
  });

  it('keep their ids when older ones are dropped', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => ({ ...joined, time: i / 100, text: String(i) }));
    const run = cluster({ events: many });
    const id = ids(run)[0];
    step(run, { time: 1070, events: [left, left] });
    expect(ids(run)).toHaveLength(10_000);
    expect(ids(run)[2]).toBe(id);
    expect(new Set(ids(run)).size).toBe(10_000);
    expect(events.notes(run, context())).toEqual(['2 earlier events not kept']);
  });

  it('are dimmed outside of the selected period, also when older ones are dropped', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => ({ ...joined, time: 1000 + i / 1000 }));
    const run = cluster({ time: 1000, events: many });
    step(run, { time: 1070, events: [left] });
    selectionOf(run).select({ period: { from: 1060, to: 1070 } });
    expect(ids(run).filter(id => !isDimmed(events, run, id))).toEqual([ids(run)[0]]);
  });

  it('end where a view was paused', () => {
    const run = cluster({ time: 1000, events: [joined] });
    const held = frozen(run);
    step(run, { time: 1070, events: [left] });
    expect(texts(held)).toHaveLength(1);
    expect(texts(run)).toHaveLength(2);
  });
});
