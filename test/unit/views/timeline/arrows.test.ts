// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Feed } from '../../../../src/feed/feed';
import type { Scalar } from '../../../../src/feed/frame';
import { Run } from '../../../../src/run/run';
import { readNeighbours } from '../../../../src/views/timeline/neighbours/neighbours';
import type { View, ViewHost } from '../../../../src/views/view';
import { tasksBody } from '../../run/synthetic';
import { apply, EPOCH, EVEN, feedOf, frame, holdFrames, lastFrame, releaseFrames, viewOf } from './stand';

const at = (start: number, lane = 0): Scalar => ({ row: 9, lane, start: EPOCH + start, duration: 1 });
const neighbours = (
  before: readonly Scalar[],
  after: readonly Scalar[],
  more: Readonly<Record<string, Scalar>> = {}
): Scalar => ({
  ...{ known: true, lost: false, late: false },
  dependencies: { count: before.length, at: [...before] },
  dependents: { count: after.length, at: [...after] },
  ...more
});

describe('The answer about neighbours', () => {
  it('is read as what it may be: hostile, and never more than 200', () => {
    for (const odd of [undefined, null, 7, 'x', [], {}, { known: 'yes' }, { refused: 'no' }] as (Scalar | undefined)[]) {
      expect(readNeighbours(odd), JSON.stringify(odd)).toBeUndefined();
    }
    expect(readNeighbours({ known: false })).toBeNull();
    const found = readNeighbours({
      known: true,
      dependencies: { count: 1e300, at: [{ lane: -1 }, { lane: 0, start: Number.NaN, duration: 1 }, 'x', null, at(1)] },
      dependents: { count: -3, at: Array.from({ length: 900 }, () => at(2)) }
    });
    expect([found?.before.at.length, found?.after.at.length]).toEqual([1, 199]);
    expect(found?.after.count).toBe(199);
    expect(readNeighbours({ known: true })).toEqual({
      before: { count: 0, at: [] },
      after: { count: 0, at: [] },
      lost: false,
      late: false
    });
  });
});

describe('Arrows of a timeline', () => {
  beforeEach(() => {
    holdFrames();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
    releaseFrames();
  });

  /** A view of three tasks, and what its feed was asked. */
  async function stand(answer: (row: number) => Promise<Scalar>, more: Partial<ViewHost> = {}) {
    const run = new Run();
    apply(run, EPOCH, EPOCH + 1);
    const rows = [2, 4].map(start => ({ start: EPOCH + start, duration: 1 }));
    const topics = { tasks: tasksBody(rows, 1) };
    run.apply({ feed: 'f', epoch: 0, seq: 1, time: EPOCH + 6, cursor: {}, names: {}, topics }, lastFrame());
    const asked: number[] = [];
    const feed: Feed = Object.assign(feedOf(), {
      request: (name: string, args: { row: number }) => {
        if (name !== 'neighbours') {
          return Promise.resolve(null);
        }
        asked.push(args.row);
        return answer(args.row);
      }
    });
    const view = await viewOf(run, feed, {}, { ...EVEN, ...more });
    frame();
    return { view, asked };
  }

  const node = (view: View): HTMLElement => view.node.querySelector('.dp-Timeline-arrows') as HTMLElement;
  const words = (view: View): string => (node(view).hidden ? '' : (node(view).textContent ?? ''));
  const count = (view: View, kind: string): number =>
    (view.node.querySelector(`.dp-Timeline-arrows-${kind}`)?.getAttribute('d') ?? '').split('M').length - 1;

  /** Press a key in the picture, and wait until the answer is there. */
  async function press(view: View, key: string, rest = true): Promise<void> {
    view.node.querySelector('.dp-Timeline-plot')?.dispatchEvent(new KeyboardEvent('keydown', { code: key, bubbles: true }));
    frame();
    if (rest) {
      await vi.advanceTimersByTimeAsync(200);
      frame();
    }
  }

  it('lead to the picked task, and dashed from it, and say how many there are', async () => {
    const { view, asked } = await stand(() => Promise.resolve(neighbours([at(0)], [at(4), at(5)])));
    expect(words(view)).toBe('');
    await press(view, 'ArrowDown');
    expect(asked.length).toBe(1);
    expect([count(view, 'before'), count(view, 'after'), count(view, 'heads')]).toEqual([1, 2, 3]);
    expect(words(view)).toBe('needs 1 · needed by 2 (dashed)');
    await press(view, 'Escape');
    expect(words(view)).toBe('');
    view.dispose();
  });

  it('are asked for once the keys rest, and only those of the task picked last are drawn', async () => {
    let release = (_: Scalar): void => undefined;
    const slow = new Promise<Scalar>(resolve => {
      release = resolve;
    });
    const { view, asked } = await stand(row =>
      asked.length === 1 ? slow : Promise.resolve(neighbours([], [], { lost: row < 0 }))
    );
    await press(view, 'ArrowDown', false);
    await press(view, 'ArrowLeft', false);
    expect(asked).toEqual([]);
    await press(view, 'ArrowLeft');
    expect(asked.length).toBe(1);
    await press(view, 'ArrowRight');
    release(neighbours([at(0), at(1)], []));
    await vi.advanceTimersByTimeAsync(1);
    frame();
    expect(words(view)).toBe('needs no other task · needed by none that Dask knows now');
    view.dispose();
  });

  it('say what is not drawn, what is forgotten and what is not known; nothing where nobody answers', async () => {
    const answers: (() => Promise<Scalar>)[] = [
      () => Promise.resolve(neighbours([at(0)], [], { lost: true, dependents: { count: 5000, at: [at(4)] } })),
      () => Promise.resolve({ known: false }),
      () => Promise.reject(new Error('The collector knows no request neighbours.'))
    ];
    const seen: string[] = [];
    for (const answer of answers) {
      const { view } = await stand(answer);
      await press(view, 'ArrowDown');
      seen.push(words(view));
      view.dispose();
    }
    expect(seen).toEqual([
      'needs 1 · some that it needed are forgotten · needed by 5,000 (dashed) · 4,999 not drawn: not finished, not kept or beyond 200',
      'Dask does not know the dependencies of this task any more',
      ''
    ]);
  });

  it('are neither drawn nor asked for where they are switched off', async () => {
    const context = { ...(EVEN.context as ViewHost['context']), options: { pauses: 'even', arrows: 'off' } };
    const { view, asked } = await stand(() => Promise.resolve(neighbours([at(0)], [])), { context });
    await press(view, 'ArrowDown');
    expect([asked.length, words(view)]).toEqual([0, '']);
    view.dispose();
  });
});
