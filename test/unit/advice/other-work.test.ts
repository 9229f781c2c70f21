import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { advise } from '../../../src/advice/advise';
import type { Advice } from '../../../src/advice/advice';
import { adviceOf, askedPeriod } from '../../../src/advice/shown';
import { shareWords } from '../../../src/advice/headline/shares';
import { formatPercent } from '../../../src/base/format';
import { computations } from '../../../src/plots/tasks/computations';
import type { Run } from '../../../src/run/run';
import { selectionOf } from '../../../src/run/selection/selection';
import { translate } from '../translate';
import { openRun } from '../../../src/report/open';
import type { Owned as OwnedRun } from '../plots/made-computations';
import { completed, EPOCH, type Made, made, tasks, verdict } from './made';

const LANES = [0, 1, 2, 3];
const CLIENTS = ['Client-aaaaaaaa-1', 'Client-bbbbbbbb-1'];

type Owned = readonly OwnedRun[];

/** Four threads work for another computation for 8 s; then the second, which was submitted 7 s before, has them for 2 s. */
function queued(more: Partial<Made> = {}, owned?: Owned): Run {
  const [before, after] = [LANES.flatMap(lane => tasks(lane, 16, 0.5)), LANES.flatMap(lane => tasks(lane, 4, 0.5, 8, 0, 1))];
  const run = made({
    rows: [...before, ...after],
    now: 10,
    computations: [
      { since: 0, last: 0, start: 0, stop: 8, tasks: 64, done: 64, compute: 32, cell: 3 },
      { since: 1, last: 1, start: 8, stop: 10, tasks: 16, done: 16, compute: 8, cell: 3 }
    ],
    clients: CLIENTS,
    codes: ['a.compute()', 'b.compute()'],
    ...more
  });
  own(
    run,
    owned ?? [
      [0, 0, before.length],
      [before.length, 1, after.length]
    ]
  );
  return completed(run);
}

function own(run: Run, rows: Owned): void {
  const topics = { computations: { columns: {}, scalars: { texts: [], rows: rows.map(each => [...each]) } } };
  run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: EPOCH + 10, cursor: {}, names: {}, topics }, 0);
}

function ofSecond(run: Run): Advice {
  selectionOf(run).select(computations.selects?.(run, '1') ?? {});
  return adviceOf(run, askedPeriod(run), translate);
}

describe('other work', () => {
  it('of another client that was there before holds a real computation up', async () => {
    const path = fileURLToPath(new URL('../../fixtures/advice/crowded.dask-run', import.meta.url));
    const { run } = await openRun(await readFile(path));
    const [own, theirs] = run.computations.list;
    selectionOf(run).select(computations.selects?.(run, String(own.id)) ?? {});
    const advice = adviceOf(run, askedPeriod(run), translate);
    expect(advice.verdicts).toMatchObject([{ cause: 'other-work', confidence: 'high' }]);
    expect(advice.headline).toMatch(
      /^Other work held the threads: they computed 32\.9 s for other clients, mostly Client-[0-9a-f]+: theirs, while this computation waited\. It costs 74 % of its time\.$/
    );
    expect(theirs.client).not.toBe(own.client);
    // Of all that ran, nothing was wrong.
    expect(advise(run, null, translate).verdicts).toEqual([]);
  });

  it('is not what its tasks submit, such as those with worker_client()', () => {
    const [theirs, own] = [
      { since: 0, last: 0, start: 0, stop: 8, tasks: 64, done: 64, compute: 32, cell: 0 },
      { since: 1, last: 1, start: 8, stop: 10, tasks: 16, done: 16, compute: 8, cell: 3 }
    ];
    const clients = ['Client-worker-aaaaaaaa-1', CLIENTS[1]];
    const advice = (since: number): Advice =>
      ofSecond(queued({ computations: [{ ...theirs, since, last: since }, own], clients }));
    expect(verdict(advice(0), 'other-work'), 'of tasks of another').toBeDefined();
    expect(verdict(advice(1.1), 'other-work')).toBeUndefined();
    expect(shareWords(advice(1.1), translate).join()).not.toContain('for others');
  });

  it('has no more of the threads than its own tasks leave, where tasks had seceded', () => {
    const driver = { lane: 0, prefix: 0, start: 0, duration: 10, nbytes: 100 };
    const own = LANES.flatMap(lane => tasks(lane, 9, 1, 1, 0, 1));
    const run = queued(
      {
        rows: [driver, ...own],
        computations: [
          { since: 0, last: 0, start: 0, stop: 10, tasks: 1, done: 1, compute: 10, cell: 3 },
          { since: 1, last: 1, start: 1, stop: 10, tasks: 36, done: 36, compute: 36, cell: 0 }
        ],
        clients: [CLIENTS[0], 'Client-worker-aaaaaaaa-1']
      },
      [
        [0, 0, 1],
        [1, 1, 36]
      ]
    );
    expect(ofSecond(run).verdicts).toEqual([]);
    expect(shareWords(ofSecond(run), translate).slice(0, 2)).toEqual(['99 % computing', '< 1 % computing for others']);
  });

  it('held the threads while the selected computation waited, and whose it was', () => {
    const advice = ofSecond(queued());
    const found = verdict(advice, 'other-work');
    expect(advice.period?.from).toBeCloseTo(EPOCH + 1);
    expect(found?.cost.seconds).toBeCloseTo(28, 0);
    expect(found?.sentence).toMatch(
      /^Other work held the threads: they computed 28\.0 s for other clients, mostly \[3\] Client-aaaaaaaa: a\.compute\(\), while this computation waited\. It costs 78 % of its time\.$/
    );
    expect(found).toMatchObject({ confidence: 'high', doubt: '' });
    expect(advice.verdicts.reduce((sum, { cost }) => sum + cost.seconds, 0)).toBeLessThanOrEqual(advice.capacity);
  });

  it('is no wasted work of the threads', () => {
    const advice = ofSecond(queued());
    expect([advice.computedInVain, advice.computedForOthers]).toEqual([0, expect.closeTo(28, 0)]);
    // Its cost and these add up to all.
    expect(formatPercent(verdict(advice, 'other-work')?.cost.share ?? 0)).toBe('78 %');
    expect(shareWords(advice, translate)).toEqual(['22 % computing', '< 1 % not explained']);
    const more = { ...advice, computedForOthers: advice.computedForOthers + 0.05 * advice.capacity };
    expect(shareWords(more, translate)[1]).toBe('5 % computing for others (another 78 % is in the costs of causes)');
    // Where its cost is hidden, it is in no other figure.
    const hidden = shareWords(advice, translate, new Set(['other-work']));
    expect(hidden).toEqual(['22 % computing', '78 % computing for others', '< 1 % not explained']);
  });

  it('that cannot be found out leaves what else is said', () => {
    const run = queued();
    const period = { from: EPOCH + 1, to: EPOCH + 10, computation: 1 };
    Object.defineProperty(run.computations, 'rowsOf', {
      value: () => {
        throw new Error('no rows');
      }
    });
    const { headline, unknown, absent } = advise(run, period, translate);
    expect(headline).toBe('Nothing wrong found: 100 % of thread time computing. The rule failed: no rows');
    expect(unknown).toContainEqual(expect.objectContaining({ cause: 'other-work', why: 'The rule failed: no rows' }));
    expect(absent.length).toBeGreaterThan(10);
  });

  it('of the same client may be what it needs', () => {
    const found = verdict(ofSecond(queued({ clients: [CLIENTS[0], CLIENTS[0]] })), 'other-work');
    expect(found?.sentence).toContain('for other computations, mostly [3] a.compute(), while');
    expect(found).toMatchObject({ confidence: 'medium', doubt: 'It may need results of this work.' });
  });

  it('held nothing while threads were free', () => {
    const rows = [...tasks(0, 16, 0.5), ...LANES.flatMap(lane => tasks(lane, 4, 0.5, 8, 0, 1))];
    const run = queued({ rows });
    own(run, [
      [0, 0, 16],
      [16, 1, 16]
    ]);
    const advice = ofSecond(run);
    expect(verdict(advice, 'other-work')).toBeUndefined();
    const nothing = advise(run, askedPeriod(run), translate, { rules: [] });
    // Of the time from its submission on, its own tasks had 8 s, the others 7 s.
    expect(nothing.headline).toContain('22 % of thread time computing');
    expect(nothing.headline).toContain(' Other computations had 19 % of thread time.');
    expect(shareWords(nothing, translate)).toEqual(['22 % computing', '19 % computing for others', '58 % not explained']);
  });

  it('is not looked for in another period', () => {
    const run = queued();
    const advice = advise(run, { from: EPOCH + 1, to: EPOCH + 10 }, translate);
    expect(advice.absent.map(({ cause }) => cause)).toContain('other-work');
  });

  it('is not known where not all tasks of the computation are', () => {
    const run = queued({
      computations: [
        { since: 0, last: 0, start: 0, stop: 8, tasks: 64, done: 64, compute: 32 },
        { since: 1, last: 1, start: 8, stop: 10, tasks: 17, unfollowed: 1, done: 16, compute: 8 }
      ]
    });
    expect(ofSecond(run).unknown).toContainEqual({
      cause: 'other-work',
      title: 'Other work held the threads',
      why: 'Not all tasks of the selected computation are known.'
    });
  });

  it('is known by its function before it is known whose it was, and says of its own tasks what is known', () => {
    // Since the first second, nobody knows yet whose tasks are, but the functions that the computations have left.
    const first = LANES.flatMap(lane => tasks(lane, 2, 0.5));
    const rows = [...first, ...LANES.flatMap(lane => tasks(lane, 17, 0.5, 1))];
    const found = (more: Partial<Made>, prefix = 1): Advice['verdicts'][number] | undefined => {
      const what: Partial<Made> = {
        rows,
        computations: [
          { since: 0, last: 0, start: 0, stop: 1, tasks: 80, done: 8, left: 72, compute: 4, cell: 3 },
          { since: 1, last: 1, tasks: 16, left: 16, cell: 3 }
        ],
        shares: [
          { computation: 0, prefix: 0, tasks: 80, left: 72 },
          { computation: 1, prefix, tasks: 16, left: 16 }
        ],
        ...more
      };
      return verdict(ofSecond(queued(what, [[0, 0, first.length]])), 'other-work');
    };
    expect(found({})?.cost.seconds).toBeCloseTo(34, 0);
    // Not its own: none of them has begun.
    expect(found({})?.doubt).not.toContain('meanwhile');
    const running = [{ id: 1, worker: 0, prefix: 1, start: 2 }];
    expect(found({ running })?.doubt).toMatch(/Its own tasks ran meanwhile/);
    // Where both have the function, it is not known.
    expect(found({}, 0)).toBeUndefined();
    const both = { running: [{ id: 1, worker: 0, prefix: 2, start: 2 }] };
    expect(found(both)?.doubt).toMatch(/Its own tasks may have run meanwhile: it is not known of all tasks whose they are\.$/);
  });

  it('counts long tasks that have not ended, and began before', () => {
    const run = queued({
      rows: [],
      running: LANES.map(lane => ({ id: lane, worker: lane % 2, prefix: 0, start: 0 })),
      computations: [
        { since: 0, last: 0, tasks: 4, left: 4, cell: 3 },
        { since: 1, last: 1, tasks: 16, left: 16, cell: 3 }
      ]
    });
    const advice = ofSecond(run);
    expect(verdict(advice, 'other-work')?.cost.share).toBeCloseTo(1, 1);
    // With those that run.
    expect(advise(run, askedPeriod(run), translate, { rules: [] }).headline).toContain(
      'Other computations had 100 % of thread time.'
    );
  });
});
