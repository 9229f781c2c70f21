/** Which verdict leads, and what "Show me" selects. */
import { describe, expect, it } from 'vitest';
import type { Finding, Rule } from '../../../src/advice/rule';
import { advise, HARM } from '../../../src/advice/advise';
import { advice as plot } from '../../../src/plots/diagnosis/advice';
import { selecting } from '../../../src/advice/facts';
import { RULES } from '../../../src/advice/rules';
import { periodWords } from '../../../src/advice/words';
import { executionStatistics } from '../../../src/selectors/selection/statistics';
import { translate } from '../translate';
import { adviceOf, EPOCH, made, tasks, verdict } from './made';

const ALL = [0, 1, 2, 3];

/** A rule that finds so much of computed time. */
function finding(cause: Rule['cause'], compute: number): Rule {
  const [rule] = RULES.filter(each => each.cause === cause);
  const found: Finding = {
    ...{ claims: [{ time: { compute } }], confidence: 'high', always: true, sentence: () => cause },
    evidence: { selection: selecting({}), plot: 'task-stream', figures: [] }
  };
  return { ...rule, needs: [], unknown: () => null, find: () => found };
}

describe('the order of verdicts', () => {
  const run = made({ rows: ALL.flatMap(lane => tasks(lane, 10, 1)), now: 10 });
  const order = (...rules: Rule[]): string[] => advise(run, null, translate, { rules }).verdicts.map(({ cause }) => cause);

  it('is by cost, but what went wrong comes before what costs little, and dangers without a cost come last', () => {
    expect(order(finding('spilling', 0.4), finding('transfers', 6), finding('gil', 8))).toEqual(['gil', 'transfers', 'spilling']);
    expect(order(finding('spilling', 0.4), finding('unmanaged-memory', 0), finding('lost-worker', 0))).toEqual([
      ...['lost-worker', 'spilling', 'unmanaged-memory']
    ]);
    expect(order(finding('late-start', 5), finding('failures', 0.1), finding('gil', 12))).toEqual([
      ...['gil', 'failures', 'late-start']
    ]);
  });

  it('is said by the help of the pane', () => {
    expect(plot.howToRead).not.toContain('the highest cost first');
    expect(plot.howToRead).toContain('begins with the highest cost, with two exceptions');
    expect(plot.howToRead).toContain(`comes before causes that cost less than ${100 * HARM} %`);
  });

  it('is by cost in a short period, too, where no cost takes long', () => {
    const short = made({ rows: ALL.flatMap(lane => tasks(lane, 1, 0.6)), now: 0.6 });
    const rules = [finding('failures', 0.7), finding('retries', 1), finding('gil', 0.3)];
    expect(advise(short, null, translate, { rules }).verdicts.map(({ cause }) => cause)).toEqual(['retries', 'failures', 'gil']);
  });
});

describe('spilled results', () => {
  const run = (spilled: readonly number[]): ReturnType<typeof adviceOf> =>
    adviceOf(
      made({ rows: ALL.flatMap(lane => tasks(lane, 10, 1)), series: { spilled: spilled.map(gib => gib * 2 ** 30) }, now: 10 })
    );

  it('of an earlier computation, which are deleted now, are not reported', () => {
    expect(verdict(run([3, 3, 0, 0, 0, 0, 0, 0, 0, 0]), 'spilling')).toBeUndefined();
    expect(verdict(run([0, 0, 3, 3, 0, 0, 0, 0, 0, 0]), 'spilling')).toBeDefined();
  });

  it('of an earlier computation are reported of a later one where they are waited for, or where it spills more', () => {
    const rows = [...ALL.flatMap(lane => tasks(lane, 4, 1)), ...ALL.flatMap(lane => tasks(lane, 10, 0.3, 5, 0.2))];
    const computations = [
      { since: 0, last: 0, start: 0, stop: 4, tasks: 16 },
      { since: 5, last: 5, start: 5, stop: 9.8, tasks: 40 }
    ];
    const moves = rows.flatMap((row, at) => (at >= 16 ? [{ at, kind: 2, start: row.start + 0.3, duration: 0.2 }] : []));
    const later = (spilled: readonly number[], waits = false): ReturnType<typeof verdict> => {
      const series = { spilled: spilled.map(gib => gib * 2 ** 30) };
      const what = { rows, computations, series, now: 10, moves: waits ? moves : [] };
      return verdict(adviceOf(made(what), { from: 5, to: 9.8 }), 'spilling');
    };
    expect(later([0, 1, 3, 3, 3, 3, 3, 3, 3, 3])).toBeUndefined();
    expect(later([0, 1, 3, 3, 3, 3, 3, 3, 3, 3], true)?.cost.share).toBeGreaterThan(0.3);
    // The first heartbeats report what was written before.
    expect(later([0, 1, 2, 2, 2, 3, 3, 3, 3, 3])).toBeUndefined();
    expect(later([0, 1, 2, 2, 2, 2, 2, 3, 4, 4])?.sentence).toContain('up to 4.00 GiB of results were on disk');
  });
});

describe('tasks that take much longer', () => {
  it('are all selected by "Show me"', () => {
    const rows = [
      ...ALL.flatMap(lane => tasks(lane, 20, 0.1)),
      { lane: 0, prefix: 0, start: 2, duration: 1 },
      { lane: 1, prefix: 0, start: 4, duration: 1 },
      { lane: 0, prefix: 0, start: 6, duration: 8 }
    ];
    const run = made({ rows, now: 14 });
    const found = verdict(adviceOf(run), 'straggler');
    expect(found?.evidence.figures[0].value).toBe(3);
    expect(executionStatistics(run, found?.evidence.selection ?? selecting({ erred: true }), 'median').count).toBe(3);
  });
});

describe('a period', () => {
  it('begins with its graph, also where that is before the first task, with which the time axis begins', () => {
    const rows = ALL.flatMap(lane => tasks(lane, 10, 1, 0, 1));
    const run = made({ rows, computations: [{ since: -3.6, last: -3.6, start: 0, stop: 11, tasks: 40 }], now: 11 });
    const advice = adviceOf(run);
    expect(advice.period?.from).toBeLessThan(EPOCH);
    expect(periodWords(run, advice, 'newest', translate)).toBe('newest work: 0:03.6 before the first task – 0:19.0');
    // Other panes name a selected period so.
    expect(periodWords(run, advice, 'selected', translate)).toMatch(/^selected: 0:03\.6 before the first task – /);
  });
});
