/** Times of a run begin with its first task; what was before is said in words, not by a minus. */
import { expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { PLOTS } from '../../../src/plots';
import { events } from '../../../src/plots/diagnosis/events';
import { sinceStart, sinceStartWords } from '../../../src/selectors/moments';
import { made } from '../advice/made';
import { cluster, context } from '../plots/cluster';
import { translate as trans } from '../translate';

setNumberLocale('en');

it.each([
  [1065, '1:05.0', '1:05.0'],
  [1000, '0:00.0', '0:00.0'],
  [999.99, '0:00.0', '0:00.0'],
  [992, '0:08.0 before', '0:08.0 before the first task'],
  [Number.NaN, '–', '–']
])('%d is %s', (time, short, long) => {
  const run = { origin: 1000, anchor: Number.NaN };
  expect([sinceStart(time, run, trans, 1), sinceStartWords(time, run, trans, 1)]).toEqual([short, long]);
});

it('in all tables with a hint what they begin with, also of what was before the first task', () => {
  const run = cluster({ time: 1000, events: [{ time: 990, topic: 'all', action: 'add-worker', text: '{}' }] });
  expect(events.table(run, context()).rows[0]?.cells[0].text).toBe('0:10 before');
  expect(events.summary(run, context())).toContain('the last was add-worker at 0:10 before the first task.');
  const columns = PLOTS.flatMap(plot => plot.table(run, context()).columns);
  const hints = columns.flatMap(({ tooltip = '' }) =>
    /^since the (first|cluster)|^after the start( of the run)?$/i.test(tooltip) ? [tooltip] : []
  );
  expect(hints.length).toBeGreaterThan(10);
  expect(new Set(hints)).toEqual(new Set(['since the cluster was first observed']));
  // A recording begins where it was begun.
  run.anchor = 1000;
  expect(events.table(run, context()).columns[0].tooltip).toBe('since the recording began');
  expect(events.summary(run, context())).toContain('at 0:10 before the recording.');
});

it('says what the times begin with where no task has ended', () => {
  const hint = (tasks: object, running: object): string | undefined =>
    events.table(made({ now: 10, ...tasks, ...running }), context()).columns[0].tooltip;
  expect(hint({}, {})).toBe('since the cluster was first observed');
  expect(hint({}, { running: [{ id: 1, worker: 0, start: 2 }] })).toBe('since the first task that runs began');
  expect(hint({ rows: [{ lane: 0, start: 1, duration: 1 }] }, {})).toBe('since the first task that has ended began');
});
