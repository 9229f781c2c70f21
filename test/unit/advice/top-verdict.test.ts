/** What is shown where there is room for one thing, and that marks on time axes show the same. */
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../../src/advice/advice';
import { topVerdictOf, topVerdictSentence } from '../../../src/advice/cells/top-verdict';
import { adviceChanged, adviceOf as adviceShown, reportedAdviceOf } from '../../../src/advice/shown';
import { noticedVerdicts } from '../../../src/advice/words';
import { codeWords } from '../../../src/selectors/tasks/computation-words';
import { translate } from '../translate';
import { completed, EPOCH, gathersAt, type Made, made, tasks } from './made';

const NONE: ReadonlySet<string> = new Set();

/** Two cells: the first has a chain of long tasks, the second many small ones on one thread of four. */
function twoCells(more: Partial<Made> = {}): ReturnType<typeof made> {
  const rows = [...tasks(0, 6, 1), ...tasks(1, 6, 0.5, 8, 0, 1)];
  const computations = [
    { since: 0, last: 0, start: 0, stop: 6, tasks: 6, cell: 3 },
    { since: 8, last: 8, start: 8, stop: 11, tasks: 6, cell: 4 }
  ];
  return completed(made({ rows, computations, now: 11, ...more }));
}

describe('what is reported of the newest cell', () => {
  it('is what marks on axes of time say, of the same period', () => {
    const run = twoCells();
    const found = topVerdictOf(run, NONE, translate);
    expect(found.cell).toBe('[4]');
    expect(found.asked?.from).toBe(EPOCH + 8);
    const reported = reportedAdviceOf(run);
    expect(reported?.asked).toEqual(found.asked);
    expect(reported?.advice).toBe(found.advice);
    expect(reported?.advice.verdicts[0]).toBe(found.verdict);
    if (found.verdict !== null) {
      expect(topVerdictSentence(found, found.verdict, translate)).toContain(found.verdict.sentence);
    }
  });

  it('is not that the client may be waited for, where work may come when it comes', () => {
    const begins = [0, 1, 2.8, 3.5, 5.6, 6.3, 8.9, 9.8];
    const events = gathersAt(begins.map(begin => begin + 0.51));
    const run = (times: readonly number[]): ReturnType<typeof made> =>
      completed(
        made({
          rows: times.flatMap(begin => [0, 1, 2, 3].flatMap(lane => tasks(lane, 1, 0.5, begin))),
          now: 10.4,
          computations: times.map(since => ({ since, last: since, start: since, stop: since + 0.5, tasks: 4, submissions: 1 })),
          topics: { events }
        })
      );
    const stream = run(begins);
    const [first] = adviceShown(stream, null, translate).verdicts;
    expect(first).toMatchObject({ cause: 'client-waits', confidence: 'low' });
    expect(topVerdictOf(stream, NONE, translate).verdict).toBeNull();
    expect(noticedVerdicts(adviceShown(stream, null, translate), NONE)).toEqual([]);
    // Nor that threads have too little to do then, which may be so for the same reason.
    const advice = adviceShown(stream, null, translate);
    const few = { ...first, cause: 'little-parallelism', confidence: 'medium', ownPace: false } as const;
    const noticed = (...verdicts: readonly Verdict[]): readonly string[] =>
      noticedVerdicts({ ...advice, verdicts }, NONE).map(({ cause }) => cause);
    expect(noticed(first, few)).toEqual([]);
    expect(noticed(first, { ...few, confidence: 'high' })).toEqual(['little-parallelism']);
    // A period may be too short for certainty, whatever its pauses.
    expect(noticed({ ...first, ownPace: false }, few)).toEqual(['client-waits', 'little-parallelism']);
    expect(noticedVerdicts({ ...advice, verdicts: [first, few] }, new Set(['client-waits']))).toEqual([few]);
  });

  it('is named as in all other views', () => {
    const shares = [{ computation: 1, prefix: 1, tasks: 6, compute: 3 }];
    const named = (more: Partial<Made>): string[] => {
      const run = twoCells(more);
      return [topVerdictOf(run, NONE, translate).cell, codeWords(run, run.computations.list[0], translate)];
    };
    expect(named({ shares, codes: ['a.compute()', 'b.compute()'] })).toEqual(['[4] b.compute()', '[4] b.compute()']);
    expect(named({ shares }), 'without its code').toEqual(['[4] sum', '[4] sum']);
    expect(named({})).toEqual(['[4]', '[4] code not known']);
  });

  it('is of one notebook where two have cells of the same number', () => {
    const run = twoCells({
      computations: [
        { since: 0, last: 0, start: 0, stop: 6, tasks: 6, cell: 3 },
        { since: 8, last: 8, start: 8, stop: 11, tasks: 6, cell: 3 }
      ],
      clients: ['Client-aaaaaaaa-1', 'Client-bbbbbbbb-1'],
      codes: ['a.compute()', 'b.compute()']
    });
    const found = topVerdictOf(run, NONE, translate);
    expect([found.cell, found.asked?.from]).toEqual(['[3] Client-bbbbbbbb: b.compute()', EPOCH + 8]);
  });

  it('is not what they say at an earlier moment of a recording', () => {
    const run = twoCells();
    run.anchor = EPOCH;
    run.clock.stand(EPOCH + 11);
    topVerdictOf(run, NONE, translate);
    expect(reportedAdviceOf(run)).not.toBeNull();
    run.clock.stand(EPOCH + 4);
    expect(reportedAdviceOf(run)).toBeNull();
    run.clock.stand(EPOCH + 12);
    expect(reportedAdviceOf(run)).not.toBeNull();
  });

  it('stays what they say when a pane lists all of the newest work, or of a selection', () => {
    const run = twoCells();
    const found = topVerdictOf(run, NONE, translate);
    const all = adviceShown(run, null, translate);
    adviceShown(run, { from: EPOCH + 1, to: EPOCH + 4 }, translate);
    expect(all.period?.from).toBe(EPOCH);
    expect(reportedAdviceOf(run)?.advice).toBe(found.advice);
  });

  it('changes marks that spoke of all newest work', () => {
    const run = twoCells();
    adviceShown(run, null, translate);
    let changes = 0;
    adviceChanged(run).connect(() => {
      changes += 1;
    });
    topVerdictOf(run, NONE, translate);
    topVerdictOf(run, NONE, translate);
    expect(changes).toBe(1);
  });
});
