/** What is shown where there is room for one thing, and that marks on time axes show the same. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Verdict } from '../../../src/advice/advice';
import { lastSharedOf, sharedVerdictOf } from '../../../src/advice/cells/shared';
import { type TopVerdict, topVerdictOf, topVerdictSentence, topVerdictTitle } from '../../../src/advice/cells/top-verdict';
import { adviceChanged, adviceOf as adviceShown, askedPeriod, reportedAdviceOf } from '../../../src/advice/shown';
import { goesOn } from '../../../src/advice/period';
import { noticedVerdicts, periodWords, savingWords } from '../../../src/advice/words';
import { openRun } from '../../../src/report/open';
import { frozen } from '../../../src/run/frozen';
import { selectionOf } from '../../../src/run/selection/selection';
import type { Computation } from '../../../src/run/tables/computations';
import { selectedBy } from '../../../src/selectors/computations/selected';
import { codeWords } from '../../../src/selectors/tasks/computation-words';
import { translate } from '../translate';
import { completed, EPOCH, gathersAt, type Made, made, tasks } from './made';

/** Verdicts that cost most of a computation. */
const costlier = vi.hoisted((): { verdicts: readonly Verdict[] } => ({ verdicts: [] }));

vi.mock(import('../../../src/advice/shown'), async load => {
  const shown = await load();
  const adviceOfPart: typeof shown.adviceOfPart = (run, asked, trans) => {
    const advice = shown.adviceOfPart(run, asked, trans);
    const isMore = advice !== null && asked.computation !== undefined && costlier.verdicts.length > 0;
    return isMore ? { ...advice, verdicts: [...costlier.verdicts, ...advice.verdicts] } : advice;
  };
  return { ...shown, adviceOfPart };
});

afterEach(() => {
  costlier.verdicts = [];
});

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

  it('is said with the same figures by all who say it, until advice is due again, and as one of work that goes on', () => {
    const grown = (seconds: number): Partial<Made> => ({
      now: 11 + seconds,
      computations: [{ since: 0, last: 0, start: 0, stop: 11 + seconds, tasks: 24, left: 5, cell: 3, compute: 9 }]
    });
    const run = twoCells(grown(0));
    const first = sharedVerdictOf(run, NONE, translate, 0);
    expect(sharedVerdictOf(run, NONE, translate, 300)).toBe(first);
    expect(lastSharedOf(run, NONE, translate)).toBe(first);
    expect(lastSharedOf(run, new Set(['gil']), translate)).toBeNull();
    const second = sharedVerdictOf(run, NONE, translate, 10_000);
    expect(second).not.toBe(first);
    expect(sharedVerdictOf(run, new Set(['gil']), translate, 10_000), 'another cause is hidden').not.toBe(second);
    expect(first.verdict && topVerdictSentence(first, first.verdict, translate)).toMatch(/^\[3\], 11\.0 s so far: /);
    expect(first.verdict && topVerdictTitle(first, first.verdict, translate)).toMatch(/^\d+ % of 11\.0 s so far · .* · \[3\]$/);
    expect(topVerdictOf(twoCells(), NONE, translate).goesOn).toBe(false);
  });

  it('is said as of work that goes on where no cell is known, too', () => {
    const rows = [...tasks(0, 6, 1), ...tasks(1, 6, 0.5, 8, 0, 1)];
    const computations = [{ since: 0, last: 0, start: 0, stop: 11, tasks: 24, left: 5, compute: 9 }];
    const said = (what: Partial<Made>): string => {
      const found = topVerdictOf(completed(made({ rows, now: 11, computations, ...what })), NONE, translate);
      return found.verdict === null ? '' : topVerdictSentence({ ...found, cell: '' }, found.verdict, translate);
    };
    expect(said({})).toMatch(/% of the time\. .*The work goes on, so this may change\.$/);
    expect(said({ computations: [{ ...computations[0], tasks: 12, left: 0 }] })).not.toContain('The work goes on');
    const all = completed(made({ rows, now: 11, computations }));
    const advice = adviceShown(all, null, translate);
    expect(goesOn(all, advice.period)).toBe(true);
    expect(savingWords(advice, NONE, translate, true)).toMatch(/^Th.* costs? \d+ % of 11\.0 s × 4 threads so far$/);
  });

  it('says that a cause is hidden that others may say first', () => {
    const run = twoCells();
    const first = topVerdictOf(run, NONE, translate);
    const other = { ...first.advice.verdicts[0], cause: 'gil', sentence: 'Other.', title: 'Other' } as const;
    costlier.verdicts = [other];
    const found = topVerdictOf(twoCells(), new Set(['gil']), translate);
    expect([found.verdict?.cause, found.isBesideHidden]).toEqual([first.verdict?.cause, true]);
    if (found.verdict !== null) {
      expect(topVerdictSentence(found, found.verdict, translate)).toMatch(
        / A cause that comes first is hidden here \("Not helpful"\)\.$/
      );
      expect(topVerdictTitle(found, found.verdict, translate)).toContain(' · another cause is hidden · [4]');
    }
    expect(topVerdictOf(twoCells(), NONE, translate)).toMatchObject({ isBesideHidden: false, verdict: { cause: 'gil' } });
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

  /** Another notebook keeps all threads from the beginning; after it, the loop of this one leaves pauses. */
  function crowded(until: number): ReturnType<typeof made> {
    const begins = Array.from({ length: 20 }, (_, i) => until + 0.5 * i);
    const [before, end] = [2 * until, until + 9.8];
    const run = made({
      rows: [
        ...[0, 1, 2, 3].flatMap(lane => tasks(lane, before, 0.5)),
        ...begins.flatMap(begin => tasks(0, 1, 0.3, begin, 0, 1))
      ],
      computations: [
        {
          since: 0,
          last: 0,
          start: 0,
          stop: until,
          tasks: 4 * before,
          done: 4 * before,
          submissions: 1,
          compute: 4 * until,
          cell: 5
        },
        { since: 1, last: end - 0.3, start: until, stop: end, tasks: 20, done: 20, submissions: 20, compute: 6, cell: 10 }
      ],
      clients: ['Client-aaaaaaaa-1', 'Client-bbbbbbbb-1'],
      codes: ['gather(other)', 'for i in steps:'],
      topics: { events: gathersAt(begins.map(begin => begin + 0.31)) },
      now: end
    });
    const rows = [
      [0, 0, 4 * before],
      [4 * before, 1, 20]
    ];
    const topics = { computations: { columns: {}, scalars: { texts: [], rows } } };
    run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: EPOCH + end, cursor: {}, names: {}, topics }, 0);
    return completed(run);
  }

  it('is of the client that submits in rounds, where another one computes more meanwhile', () => {
    const run = crowded(4);
    const found = topVerdictOf(run, NONE, translate);
    const [loop, other] = run.computations.list;
    expect(found.verdict?.cause).toBe('client-waits');
    expect(found.cell).toBe('[10] Client-bbbbbbbb: for i in steps:');
    expect(found.asked).toEqual({ from: EPOCH + 1, to: EPOCH + 13.8, computation: loop.id });
    // The other one is not held up by it.
    const causes = ({ id }: typeof loop): readonly string[] =>
      adviceShown(run, { from: EPOCH, to: EPOCH + 13.8, computation: id }, translate).verdicts.map(({ cause }) => cause);
    expect(causes(loop)).toContain('client-waits');
    expect(causes(other)).not.toContain('client-waits');
  });

  it('is that another client held the threads, where that costs its cell more', () => {
    const found = topVerdictOf(crowded(12), NONE, translate);
    expect(found.cell).toBe('[10] Client-bbbbbbbb: for i in steps:');
    expect(found.verdict?.sentence).toMatch(/^Other work held the threads: .* mostly \[5\] Client-aaaaaaaa: gather\(other\)/);
  });

  it('is what costs its cell most, whatever that is', () => {
    const { verdict } = topVerdictOf(crowded(4), NONE, translate);
    const failures = verdict && { ...verdict, cause: 'failures' as const, client: undefined };
    costlier.verdicts = failures ? [failures] : [];
    const found = topVerdictOf(crowded(4), NONE, translate);
    expect([found.verdict?.cause, found.cell]).toEqual(['failures', '[10] Client-bbbbbbbb: for i in steps:']);
  });

  it('is of the client that the run is seen through, where several have work', async () => {
    const found = async (of: number): Promise<TopVerdict & { readonly of: Computation }> => {
      const { run } = await openRun(
        await readFile(fileURLToPath(new URL('../../fixtures/advice/crowded.dask-run', import.meta.url)))
      );
      run.client = run.computations.list[of].client;
      return { ...topVerdictOf(run, NONE, translate), of: run.computations.list[of] };
    };
    const waits = await found(0);
    expect(waits.verdict).toMatchObject({ cause: 'other-work', confidence: 'high' });
    expect(waits.asked).toMatchObject({ computation: waits.of.id });
    expect(waits.cell).not.toBe('');
    const works = await found(1);
    expect([works.verdict, works.asked?.computation]).toEqual([null, works.of.id]);
  });

  it('is not what a loop of another client costs', () => {
    const run = crowded(4);
    [{ client: run.client }] = run.computations.list.filter(({ cell }) => cell === 5);
    expect(topVerdictOf(run, NONE, translate)).toMatchObject({ verdict: null, cell: '[5] Client-aaaaaaaa: gather(other)' });
    expect(topVerdictOf(frozen(run), NONE, translate).verdict, 'of a paused picture').toBeNull();
    run.client = 'Client-cccccccc-1';
    expect(topVerdictOf(run, NONE, translate).verdict?.cause, 'of a client without work').toBe('client-waits');
  });

  /** A chain of one notebook, and 20 s later one of another. */
  function oneAfterTheOther(seenThrough: string, clients: readonly string[]): ReturnType<typeof made> {
    const run = twoCells({
      rows: [...tasks(0, 6, 1), ...tasks(1, 6, 0.5, 26, 0, 1)],
      computations: [
        { since: 0, last: 0, start: 0, stop: 6, tasks: 6, cell: 3 },
        { since: 26, last: 26, start: 26, stop: 29, tasks: 6, cell: 4 }
      ],
      codes: ['a.compute()', 'b.compute()'],
      now: 29,
      clients
    });
    run.client = seenThrough;
    return run;
  }

  it('is of what its own client computed last, where only others have computed since', () => {
    const [a, b] = ['Client-aaaaaaaa-1', 'Client-bbbbbbbb-1'];
    const found = (client: string): TopVerdict => topVerdictOf(oneAfterTheOther(client, [a, b]), NONE, translate);
    expect(found(a)).toMatchObject({
      cell: '[3] Client-aaaaaaaa: a.compute()',
      asked: { from: EPOCH, to: EPOCH + 6, computation: 0 },
      verdict: { cause: 'little-parallelism' }
    });
    expect(found(b).cell).toBe('[4] Client-bbbbbbbb: b.compute()');
    expect(found('Client-cccccccc-1').cell, 'of one that has computed nothing').toBe('[4] Client-bbbbbbbb: b.compute()');
  });

  it('is beside a list that says whose newest work it is about', () => {
    const [a, b] = ['Client-aaaaaaaa-1', 'Client-bbbbbbbb-1'];
    const words = (client: string, clients: readonly string[]): string => {
      const run = oneAfterTheOther(client, clients);
      return periodWords(run, adviceShown(run, null, translate), 'newest', translate);
    };
    expect(words(a, [a, b])).toBe('newest work: 0:26.0 – 0:29.0, of Client-bbbbbbbb');
    expect(words(b, [a, b])).toBe('newest work: 0:26.0 – 0:29.0');
    expect(words('Client-cccccccc-1', [a, a])).toBe('newest work: 0:26.0 – 0:29.0, of Client-aaaaaaaa');
    const both = crowded(4);
    both.client = b;
    expect(periodWords(both, adviceShown(both, null, translate), 'newest', translate)).toBe(
      'newest work: 0:00.0 – 0:13.8, also of Client-aaaaaaaa'
    );
  });

  it('says whose it is, where the only client that has computed is another', () => {
    const a = 'Client-aaaaaaaa-1';
    const cell = (client: string): string => topVerdictOf(oneAfterTheOther(client, [a, a]), NONE, translate).cell;
    expect(cell('Client-cccccccc-1')).toBe('[4] Client-aaaaaaaa: b.compute()');
    expect([cell(a), cell('')]).toEqual(['[4] b.compute()', '[4] b.compute()']);
  });

  it('ends with its own computation while others go on', () => {
    const run = crowded(4);
    run.client = 'Client-aaaaaaaa-1';
    expect(topVerdictOf(run, NONE, translate).asked).toEqual({ from: EPOCH, to: EPOCH + 4, computation: 0 });
  });

  it('is what is said of its computation when that is selected', () => {
    const events = gathersAt(Array.from({ length: 30 }, (_, i) => 10.9 + 0.4 * i));
    for (const run of [twoCells(), crowded(4), crowded(12), twoCells({ now: 22.5, topics: { events } })]) {
      run.client = 'Client-bbbbbbbb-1';
      const { asked, advice } = topVerdictOf(run, NONE, translate);
      const computation = run.computations.find(asked?.computation ?? -1);
      selectionOf(run).select((computation && selectedBy(run, computation)) ?? {});
      expect(askedPeriod(run)).toEqual(asked);
      expect(adviceShown(run, askedPeriod(run), translate)).toBe(advice);
    }
  });

  it('names no cell, where several clients compute at the same time and it is not known whom it is about', () => {
    const run = twoCells({
      computations: [
        { since: 0, last: 0, start: 0, stop: 11, tasks: 6, compute: 6, cell: 3 },
        { since: 1, last: 1, start: 8, stop: 11, tasks: 6, compute: 3, cell: 4 }
      ],
      clients: ['Client-aaaaaaaa-1', 'Client-bbbbbbbb-1']
    });
    const found = topVerdictOf(run, NONE, translate);
    expect(found.verdict).not.toBeNull();
    expect(found.cell).toBe('');
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
