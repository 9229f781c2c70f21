import { describe, expect, it } from 'vitest';
import { makeTheme } from '../../../../src/base/theme';
import type { Frame } from '../../../../src/feed/frame';
import { Run } from '../../../../src/run/run';
import { Arrangement } from '../../../../src/views/timeline/lanes/arrangement';
import { Palette } from '../../../../src/views/timeline/paint/palette';
import { groupContent } from '../../../../src/views/timeline/groups/group-tip';
import type { Group } from '../../../../src/views/timeline/lanes/layout';
import { boxOf, pick, type Target } from '../../../../src/views/timeline/picking';
import { tipOf } from '../../../../src/views/timeline/tip';
import { Viewport } from '../../../../src/views/timeline/time/viewport';
import { tasksBody } from '../../run/synthetic';
import { translate as trans } from '../../translate';

const EPOCH = 1_700_000_000;
const HOSTILE = '<img src=x onerror=alert(1)>\n\u202eevil';

const theme = makeTheme({
  background: '#212121',
  text: '#ffffff',
  textSecondary: '#bbbbbb',
  border: '#444444',
  brand: '#1976d2',
  fontFamily: 'sans-serif',
  codeFontFamily: 'monospace'
});

function runOf(): Run {
  const run = new Run();
  const frame: Frame = {
    feed: 'f',
    epoch: 0,
    seq: 0,
    time: EPOCH + 10,
    cursor: {},
    names: {
      prefixes: { from: 0, values: [HOSTILE, 'dec'] },
      workers: { from: 0, values: [{ address: 'tcp://a', name: 'w-0', host: 'h', nthreads: 2, memory_limit: 0 }] },
      lanes: {
        from: 0,
        values: [
          // As Python identifies threads: no name for users.
          [0, 140_213_456_789_011],
          [0, 140_213_456_789_012]
        ]
      }
    },
    topics: {
      tasks: tasksBody(
        [
          { lane: 0, prefix: 0, start: EPOCH, duration: 2, nbytes: 1024 },
          { lane: 1, prefix: 1, start: EPOCH + 4, duration: 1, status: 1 }
        ],
        40,
        [
          { at: 1, kind: 1, start: EPOCH + 3, duration: 0.25, peer: 1 },
          { at: 1, kind: 1, start: EPOCH + 3.5, duration: 0.25, peer: 1 }
        ]
      )
    }
  };
  run.apply(frame, 0);
  return run;
}

function sceneOf(run: Run) {
  const arrangement = new Arrangement({ run });
  arrangement.update(40, 1);
  const viewport = new Viewport();
  viewport.width = 100;
  viewport.anchor = EPOCH;
  viewport.perColumn = 0.1;
  const at = (x: number, y: number) => pick(run.tasks, arrangement.layout.bands, viewport, x, y, 1);
  return { arrangement, viewport, at, palette: new Palette(theme, new Set()) };
}

describe('pick and tipOf', () => {
  it('describes the task under the pointer, its place and what it waited for', () => {
    const run = runOf();
    const { arrangement, at, palette } = sceneOf(run);
    const target = at(45, arrangement.layout.bands[1].top + 1);
    expect(target?.interval.row).toBe(41);
    const tip = target && tipOf(target, run, arrangement.worker(0), palette, trans);
    expect(tip?.content).toMatchObject({ title: 'dec', state: 'erred', pattern: 'cross-hatch' });
    expect(tip?.content.links?.[0]).toEqual({ label: 'Errors', plot: 'errors', args: { function: 'dec', kind: 'all' } });
    expect(tip?.content.subject).toEqual({ kind: 'function', prefix: 'dec' });
    const whole = at(5, 2);
    expect(whole && tipOf(whole, run, arrangement.worker(0), palette, trans).content.links?.map(({ plot }) => plot)).toEqual([
      ...['profile', 'task-graph']
    ]);
    expect(Object.fromEntries(tip?.content.rows ?? [])).toMatchObject({
      Duration: '1.00 s',
      Worker: 'w-0 · thread 2 · h',
      'Before it': 'transfer 500 ms'
    });
  });

  it('says on which day a task of another day began', () => {
    const run = runOf();
    const { arrangement, at, palette } = sceneOf(run);
    const target = at(45, arrangement.layout.bands[1].top + 1);
    const start = (): unknown =>
      Object.fromEntries((target && tipOf(target, run, arrangement.worker(0), palette, trans).content.rows) ?? []).Start;
    expect(start()).toMatch(/^0:04\.00 · \d\d:\d\d:\d\d$/);
    run.clock.latest = EPOCH + 2 * 86_400;
    expect(start()).toMatch(/^0:04\.00 · .*(14|15).*, \d\d:\d\d:\d\d$/);
  });

  it('finds a move in its own row, and where it is drawn', () => {
    const run = runOf();
    const { arrangement, viewport, at, palette } = sceneOf(run);
    const band = arrangement.layout.bands[1];
    const target = at(31, band.movesTop);
    expect(target?.kind).toBe('move');
    expect(target && boxOf(target, viewport, 0)).toEqual({ x: 30, y: band.movesTop, width: 3, height: band.movesHeight });
    expect(target && tipOf(target, run, arrangement.worker(0), palette, trans).content.rows).toContainEqual(['From', 'w-0']);
  });

  it('finds nothing in idle time, between lanes and outside', () => {
    const { at } = sceneOf(runOf());
    expect(at(90, 2)).toBeNull();
    expect(at(5, -1)).toBeNull();
    expect(at(5, 4000)).toBeNull();
    expect(at(Number.NaN, 2)).toBeNull();
  });

  it('reaches a task narrower than a pixel', () => {
    const run = runOf();
    const { viewport, at } = sceneOf(run);
    viewport.perColumn = 10;
    expect(at(0.9, 2)?.interval.row).toBe(40);
  });

  it('says of older tasks how busy the thread was, and with what mostly', () => {
    const run = runOf();
    const rows = Array.from({ length: 40 }, (_, i) => ({
      lane: 0,
      prefix: 1,
      start: EPOCH + 20 + i / 4,
      duration: 0.125,
      status: i === 5 ? 1 : 0
    }));
    run.tasks.apply(tasksBody(rows, 100));
    run.keepTasks(1);
    const { arrangement, viewport, at, palette } = sceneOf(run);
    viewport.perColumn = 1;
    const band = arrangement.layout.bands[0];
    const target = at(24.5, band.top + 1);
    expect([target?.kind, target?.interval.start, target?.interval.duration]).toEqual([
      'past',
      EPOCH + 24,
      expect.closeTo(0.875, 2)
    ]);
    const { row, content } = tipOf(target as Target, run, arrangement.worker(0), palette, trans);
    expect(row).toBe(-1);
    expect(content).toMatchObject({ title: 'mostly dec', state: 'about 57 % busy' });
    expect(content.hint).toBe('Only sums are kept for tasks this old: no single one can be shown');
    expect(Object.fromEntries(content.rows)).toMatchObject({ Tasks: '4', Worker: 'w-0 · thread 1 · h' });
    const withError = at(21.5, band.top + 1);
    expect(Object.fromEntries(tipOf(withError as Target, run, arrangement.worker(0), palette, trans).content.rows)).toMatchObject(
      { Erred: '1' }
    );
    expect(boxOf(target as Target, viewport, 0)).toMatchObject({ x: 24, y: band.top, height: band.layerHeight * band.layers });
    // Between the cells nothing ran.
    expect(at(15, band.top + 1)).toBeNull();
    // All threads of a worker in one row.
    const group = { workers: [arrangement.worker(0)], lanes: [0, 1], threads: 2 } as unknown as Group;
    const all = groupContent(run, group, EPOCH + 24.5, trans);
    expect(Object.fromEntries(all.rows)).toMatchObject({ Running: 'about 29 % busy' });
  });

  it('keeps hostile names as text of one line', () => {
    const run = runOf();
    const { arrangement, at, palette } = sceneOf(run);
    const target = at(5, 2);
    const title = target && tipOf(target, run, arrangement.worker(0), palette, trans).content.title;
    expect(title).toBe('<img src=x onerror=alert(1)> evil');
  });
});
