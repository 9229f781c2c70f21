// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FrameNames } from '../../../../src/feed/frame';
import { busyBetween } from '../../../../src/run/lanes/busy-periods';
import { Columns, EXACT, fold } from '../../../../src/run/lanes/lane-fold';
import { Run } from '../../../../src/run/run';
import { selectionOf } from '../../../../src/run/selection/selection';
import type { ViewHost, ViewMenuItem } from '../../../../src/views/view';
import { GroupQuery } from '../../../../src/views/timeline/groups/group-query';
import { groupContent } from '../../../../src/views/timeline/groups/group-tip';
import { LaneGroups } from '../../../../src/views/timeline/groups/groups';
import { Arrangement } from '../../../../src/views/timeline/lanes/arrangement';
import { Palette } from '../../../../src/views/timeline/paint/palette';
import { groupTarget } from '../../../../src/views/timeline/picking';
import { Inspector } from '../../../../src/views/timeline/pointing/inspector';
import { bandBottom } from '../../../../src/views/timeline/lanes/layout';
import { randomOf, type Row, tasksBody } from '../../run/synthetic';
import { translate as trans } from '../../translate';
import { theme } from '../light-theme';
import { EPOCH, EVEN, feedOf, frame, holdFrames, releaseFrames, viewOf } from './stand';

/** Workers w-0, w-1 … of two threads each, two on each host; a lane for each thread. */
function names(workers: number): FrameNames {
  const of = (id: number) => ({ address: `tcp://${id}`, name: `w-${id}`, host: `h-${id >> 1}`, nthreads: 2, memory_limit: 0 });
  return {
    prefixes: { from: 0, values: ['inc', 'dec'] },
    workers: { from: 0, values: Array.from({ length: workers }, (_, id) => of(id)) },
    lanes: { from: 0, values: Array.from({ length: 2 * workers }, (_, lane) => [lane >> 1, lane] as const) }
  };
}

function runOf(rows: readonly Row[], workers = 4, time = EPOCH + 20): Run {
  const run = new Run();
  run.apply({ feed: 'f', epoch: 0, seq: 0, time, cursor: {}, names: names(workers), topics: { tasks: tasksBody(rows) } }, 0);
  return run;
}

describe('LaneGroups', () => {
  it('come back as they were saved; the initial state is no text', () => {
    let text = '';
    const groups = new LaneGroups(undefined, saved => {
      text = saved;
    });
    groups.togglePinned('tcp://b');
    groups.togglePinned('tcp://a');
    groups.toggleWorker('tcp://c');
    groups.toggleHost('h');
    const again = new LaneGroups(text);
    expect([...again.pinned]).toEqual(['tcp://b', 'tcp://a']);
    expect(['tcp://a', 'tcp://c'].map(each => again.isCollapsed(each))).toEqual([false, true]);
    expect(again.isHostCollapsed('h')).toBe(true);
    groups.collapse('none');
    groups.unpin();
    expect(text).toBe('');
  });

  it('collapse what joins after everything was collapsed, but for what was expanded', () => {
    const groups = new LaneGroups('');
    groups.collapse('workers');
    groups.toggleWorker('tcp://a');
    expect(['tcp://a', 'tcp://new'].map(each => groups.isCollapsed(each))).toEqual([false, true]);
    groups.collapse('hosts');
    expect(groups.isCollapsed('tcp://new')).toBe(false);
    expect(groups.isHostCollapsed('any')).toBe(true);
  });

  it('survive what was never saved, and keep no more than a thousand names', () => {
    for (const odd of ['{', '[]', 'null', '7', 7, {}, '{"pinned":{"length":9},"workers":[null,5,["x"]],"allHosts":"yes"}']) {
      const groups = new LaneGroups(odd);
      expect(groups.pinned.size, String(odd)).toBeLessThanOrEqual(1);
      expect(groups.isHostCollapsed('h'), String(odd)).toBe(false);
    }
    let text = '';
    const groups = new LaneGroups('', saved => {
      text = saved;
    });
    for (let i = 0; i < 1200; i++) {
      groups.togglePinned(`tcp://${i}`);
    }
    groups.togglePinned('x'.repeat(5000));
    expect(new LaneGroups(text).pinned.size).toBe(1000);
    expect(text.length).toBeLessThan(20_000);
  });
});

describe('Arrangement of groups', () => {
  const layoutOf = (run: Run, groups: LaneGroups, height: number, order = 'name') => {
    const arrangement = new Arrangement({ run }, groups);
    arrangement.order = order;
    arrangement.update(height, 1);
    return arrangement;
  };

  it('draws a worker, or a host, as one row that says whose it is', () => {
    const run = runOf([{ start: EPOCH, duration: 1 }]);
    const groups = new LaneGroups('');
    groups.toggleWorker('tcp://0');
    groups.toggleHost('h-1');
    const { layout, bandOf } = layoutOf(run, groups, 400);
    expect(layout.bands.map(band => band.group?.lanes ?? band.lane)).toEqual([[0, 1], 2, 3, [4, 5, 6, 7]]);
    expect(layout.bands[3].group?.threads).toBe(4);
    expect(layout.hosts.map(({ host, collapsed }) => [host, collapsed])).toEqual([
      ['h-0', false],
      ['h-1', true]
    ]);
    expect(bandOf).toBeDefined();
  });

  it('shows a lane where its group is, as a lane of its worker', () => {
    const groups = new LaneGroups('');
    groups.toggleHost('h-1');
    const arrangement = layoutOf(runOf([]), groups, 400);
    expect(arrangement.bandOf(6)).toMatchObject({ lane: 6, worker: 3, top: arrangement.layout.bands.at(-1)?.top });
    expect(arrangement.bandOfWorker(2)?.group?.lanes).toEqual([4, 5, 6, 7]);
  });

  it('has pinned workers at the top, in their order, with a height to read where others are rows of pixels', () => {
    const groups = new LaneGroups('');
    groups.togglePinned('tcp://90');
    groups.togglePinned('tcp://3');
    groups.togglePinned('tcp://gone');
    const { layout, hosts } = layoutOf(runOf([], 150), groups, 900);
    expect(hosts[0].workers.map(({ name }) => name)).toEqual(['w-90', 'w-3']);
    expect(layout.bands.slice(0, 4).map(({ lane }) => lane)).toEqual([180, 181, 6, 7]);
    const [first, , , , other] = layout.bands;
    expect(bandBottom(first) - first.top).toBeGreaterThan(10);
    expect(bandBottom(other) - other.top).toBeLessThan(5);
    expect(layout.bands.filter(({ lane }) => lane === 6).length, 'once only').toBe(1);
  });

  it('never lets pinned rows, or groups, take more than half of a low window from the others', () => {
    for (const height of [40, 120, 300]) {
      const groups = new LaneGroups('');
      for (let id = 0; id < 60; id++) {
        groups.togglePinned(`tcp://${id}`);
      }
      const { layout } = layoutOf(runOf([], 100), groups, height);
      const tops = layout.bands.map(({ top }) => top);
      expect([...tops].sort((a, b) => a - b)).toEqual(tops);
      expect(layout.bands.every(band => band.layerHeight >= 1)).toBe(true);
    }
  });

  it('fits any number of hosts drawn as one into the window', () => {
    const groups = new LaneGroups('');
    groups.collapse('workers');
    const { layout } = layoutOf(runOf([], 40), groups, 1000);
    expect(layout.bands.length).toBe(40);
    expect(layout.height).toBeLessThanOrEqual(1000);
  });

  it('orders hosts and workers by what was chosen, and stays so', () => {
    const run = runOf([
      { lane: 6, start: EPOCH, duration: 8 },
      { lane: 4, start: EPOCH + 1, duration: 1 },
      { lane: 4, start: EPOCH + 3, duration: 1 },
      { lane: 0, start: EPOCH + 5, duration: 2 }
    ]);
    const shown = (order: string): string =>
      layoutOf(run, new LaneGroups(''), 400, order)
        .hosts.flatMap(({ workers }) => workers.map(({ name }) => name))
        .join(' ');
    expect(shown('busiest')).toBe('w-3 w-2 w-0 w-1');
    expect(shown('idlest')).toBe('w-1 w-0 w-2 w-3');
    expect(shown('first')).toBe('w-3 w-2 w-0 w-1');
    expect(shown('tasks')).toBe('w-2 w-3 w-0 w-1');
    expect(shown('memory'), 'nothing known: by name').toBe('w-0 w-1 w-2 w-3');
    expect(shown('a word of a later release')).toBe('w-0 w-1 w-2 w-3');
  });
});

describe('GroupQuery', () => {
  it('has the sum of its lanes in every column, however often it is interrupted', () => {
    const random = randomOf(20);
    const rows = Array.from({ length: 500 }, (): Row => {
      const lane = Math.floor(random() * 8);
      return { lane, prefix: lane % 2, start: EPOCH + random() * 20, duration: random() ** 4, status: random() < 0.02 ? 1 : 0 };
    });
    const { tasks } = runOf(rows);
    const group = { workers: [], lanes: [0, 1, 2, 3, 4, 5, 6, 7], threads: 8 };
    const perColumn = 0.25;
    const query = new GroupQuery(group, 4, 60);
    const scratch = new Columns(80);
    let steps = 1;
    while (
      !query.step(
        tasks.lanes,
        (track, first, count, out) => void fold(track, { anchor: EPOCH, first, perColumn }, 0, count, EXACT, out),
        scratch,
        0
      )
    ) {
      steps += 1;
    }
    expect(steps).toBe(8);
    for (let column = 0; column < 56; column++) {
      const from = EPOCH + (4 + column) * perColumn;
      const busy = tasks.lanes.map(lane => Math.min(1, busyBetween(lane?.compute as never, from, from + perColumn) / perColumn));
      expect(query.compute.busy[column]).toBeCloseTo(
        busy.reduce((a, b) => a + b, 0),
        4
      );
    }
  });
});

describe('The tooltip of a group', () => {
  it('counts what ran at the moment, by function', () => {
    const run = runOf([
      { lane: 0, start: EPOCH, duration: 5 },
      { lane: 1, prefix: 1, start: EPOCH + 1, duration: 5 },
      { lane: 2, start: EPOCH + 9, duration: 1 },
      { lane: 3, start: EPOCH + 1, duration: 5 }
    ]);
    const groups = new LaneGroups('');
    groups.toggleHost('h-0');
    const arrangement = new Arrangement({ run }, groups);
    arrangement.update(300, 1);
    const [{ group }] = arrangement.layout.bands;
    const content = groupContent(run, group as never, EPOCH + 2, trans);
    expect([content.title, content.state]).toEqual(['2 workers', '4 threads']);
    expect(content.rows.slice(1)).toEqual([
      ['Running', '3 tasks'],
      ['inc', '2'],
      ['dec', '1']
    ]);
    expect(groupContent(run, group as never, EPOCH + 7, trans).rows[1]).toEqual(['Running', 'nothing']);
  });

  it('leaves out what was cleared in its pane, as the picture does', () => {
    const run = runOf([
      { lane: 0, start: EPOCH, duration: 5 },
      { lane: 1, prefix: 1, start: EPOCH + 1, duration: 6 }
    ]);
    const groups = new LaneGroups('');
    groups.toggleHost('h-0');
    const arrangement = new Arrangement({ run }, groups);
    arrangement.update(300, 1);
    const [band] = arrangement.layout.bands;
    const running = (before: number | null): string => {
      const cleared =
        before === null ? null : { run: run.identity, before: EPOCH + before, row: 0, tasks: 0, erred: 0, moves: 0 };
      const host = { run, trans, feed: null, context: { theme, trans, options: {}, hidden: new Set<string>(), cleared } };
      const inspector = new Inspector(host as never, { run }, arrangement, {} as never);
      return (
        /Running:? (\w+( tasks?)?)/.exec(inspector.say(groupTarget(band, EPOCH + 2), new Palette(theme, new Set())))?.[1] ?? ''
      );
    };
    expect([null, 6, 8].map(running)).toEqual(['2 tasks', '1 task', 'nothing']);
    run.keepTasks(0);
    expect(run.tasks.kept).toBe(0);
    const words = (after: number): string => groupContent(run, band.group as never, EPOCH + 2.5, trans, EPOCH + after).rows[1][1];
    expect([-1, 8].map(words)).toEqual(['about 50 % busy', 'nothing']);
  });

  it('say how many threads were busy where single tasks are kept of some and sums of others', () => {
    const short = Array.from({ length: 400 }, (_, i) => ({ lane: 0, start: EPOCH + i, duration: 1 }));
    const long = [100, 200, 300].map(end => ({ lane: 1, start: EPOCH + end - 100, duration: 100 }));
    const rows = [...short, ...long].sort((a, b) => a.start + a.duration - b.start - b.duration);
    const run = runOf(rows, 1, EPOCH + 410);
    run.keepTasks(150);
    const [first, second] = run.tasks.lanes.map(lane => (lane?.compute.past?.end ?? 0) - EPOCH);
    expect(second).toBe(200);
    expect(first).toBeGreaterThan(226);
    const groups = new LaneGroups(undefined);
    groups.collapse('workers');
    const arrangement = new Arrangement({ run }, groups);
    arrangement.update(300, 1);
    const [{ group }] = arrangement.layout.bands;
    const at = (time: number): unknown => groupContent(run, group as never, EPOCH + time, trans).rows[1];
    expect(at(50.5)).toEqual(['Running', 'about 100 % busy']);
    expect(at(225.5)).toEqual(['Running', 'about 100 % busy']);
    expect(at(395.5)).toEqual(['Running', '1 task']);
  });
});

describe('Names of workers in a timeline', () => {
  beforeEach(holdFrames);
  afterEach(releaseFrames);

  const RUN = () => runOf([0, 1, 2, 3, 4, 5, 6, 7].map(lane => ({ lane, start: EPOCH + lane, duration: 9 })));

  /** A view of 900 × 500, its heads by text, and what it has saved. */
  async function stand(saved: ViewHost['saved'] = {}, run = RUN()) {
    const kept: Record<string, string | number | boolean>[] = [];
    const menus: (readonly (ViewMenuItem | null)[])[] = [];
    const view = await viewOf(run, feedOf(), saved, {
      ...EVEN,
      save: state => void kept.push(state),
      menu: items => void menus.push(items)
    });
    view.resize(900, 700);
    frame();
    const heads = (): HTMLElement[] => [...view.node.querySelectorAll<HTMLElement>('[role="treeitem"]')];
    const head = (text: string): HTMLElement => heads().find(each => each.textContent?.includes(text)) as HTMLElement;
    return { view, kept, menus, heads, head };
  }

  function key(node: HTMLElement, code: string, name = code): void {
    node.dispatchEvent(new KeyboardEvent('keydown', { key: name, code, bubbles: true, cancelable: true }));
    frame();
  }

  it('collapse and expand with a click, and are kept beside all else that the pane keeps', async () => {
    const { view, kept, head, heads } = await stand({ hinted: true });
    expect(heads().length).toBe(6);
    head('w-0').click();
    frame();
    expect(head('w-0').getAttribute('aria-expanded')).toBe('false');
    expect(head('w-0').textContent).toContain('▸');
    expect(kept.at(-1)).toMatchObject({ hinted: true });
    expect(String(kept.at(-1)?.lanes)).toContain('tcp://0');
    head('h-1').click();
    frame();
    expect(head('h-1').getAttribute('aria-expanded')).toBe('false');
    expect(head('2 workers'), 'what it summarises').toBeDefined();
    expect(heads().map(each => each.textContent?.includes('w-2'))).not.toContain(true);
    const again = await stand(kept.at(-1));
    expect(again.head('w-0').getAttribute('aria-expanded')).toBe('false');
    again.head('h-1').click();
    frame();
    expect(again.head('w-2').getAttribute('aria-expanded')).toBe('true');
    view.dispose();
    again.view.dispose();
  });

  it('are reached with Tab and arrows, and answer keys', async () => {
    const { view, heads, head } = await stand();
    expect(heads().filter(each => each.tabIndex === 0).length).toBe(1);
    head('w-0').focus();
    key(head('w-0'), 'ArrowDown');
    expect(document.activeElement?.textContent).toContain('w-1');
    expect(heads().filter(each => each.tabIndex === 0)).toEqual([head('w-1')]);
    key(head('w-1'), 'ArrowLeft');
    expect(head('w-1').getAttribute('aria-expanded')).toBe('false');
    key(head('w-1'), 'ArrowLeft');
    expect(head('w-1').getAttribute('aria-expanded'), 'is closed already').toBe('false');
    key(head('w-1'), 'Enter');
    expect(head('w-1').getAttribute('aria-expanded')).toBe('true');
    key(head('w-1'), 'KeyP', 'p');
    expect(head('Pinned').hasAttribute('aria-expanded')).toBe(false);
    expect(Number.parseFloat(head('w-1').style.top)).toBeLessThan(Number.parseFloat(head('w-0').style.top));
    view.dispose();
  });

  it('have a menu, with what concerns all; without menus the rest works', async () => {
    const { view, menus, head, heads } = await stand();
    head('w-3').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, shiftKey: true }));
    expect(menus).toEqual([]);
    head('w-3').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
    const labels = menus[0].map(item => item?.label ?? '');
    expect(labels).toContain('Pin to the top (P)');
    menus[0].find(item => item?.label === 'One row per host')?.run();
    frame();
    expect(heads().filter(each => each.textContent?.includes('2 workers')).length).toBe(4);
    view.node.querySelector<HTMLButtonElement>('.dp-Timeline-rest button[aria-haspopup]')?.click();
    menus[1].find(item => item?.label === 'A row for each thread')?.run();
    frame();
    expect(head('w-0').getAttribute('aria-expanded')).toBe('true');
    view.dispose();
  });

  it('select the tasks of a worker, or of all workers of a host, by their menu', async () => {
    const run = RUN();
    const { view, menus, head } = await stand({}, run);
    const select = (name: string): readonly string[] | null => {
      head(name).dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
      menus
        .at(-1)
        ?.find(item => item?.label === 'Select its tasks in all panes')
        ?.run();
      frame();
      return selectionOf(run).current.workers;
    };
    expect(select('w-3')).toEqual(['tcp://3']);
    expect(select('h-0')).toEqual(['tcp://0', 'tcp://1']);
    view.dispose();
  });

  it('are of all workers of a host, also of those that are pinned', async () => {
    const run = RUN();
    const { view, menus, head } = await stand({}, run);
    key(head('w-1'), 'KeyP', 'p');
    expect(head('h-0').textContent).toContain('h-0· 2 workers · 4 threads · ');
    head('h-0').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
    const [items] = menus.slice(-1);
    items?.find(item => item?.label === 'Select its tasks in all panes')?.run();
    expect(selectionOf(run).current.workers).toEqual(['tcp://0', 'tcp://1']);
    view.dispose();
  });

  it('take the keyboard cursor along: C at a task, arrows over a group', async () => {
    const { view, head } = await stand();
    const plot = view.node.querySelector('.dp-Timeline-plot') as HTMLElement;
    key(plot, 'ArrowDown');
    key(plot, 'KeyC');
    expect(head('w-0').getAttribute('aria-expanded')).toBe('false');
    key(plot, 'KeyC');
    expect(head('w-0').getAttribute('aria-expanded'), 'the cursor is still there').toBe('true');
    key(plot, 'KeyH');
    expect(head('h-0').getAttribute('aria-expanded')).toBe('false');
    key(plot, 'ArrowDown');
    key(plot, 'ArrowUp');
    expect(view.node.querySelector('.dp-Spoken')?.textContent).toContain('2 workers');
    key(plot, 'KeyC');
    expect(head('h-0').getAttribute('aria-expanded')).toBe('true');
    key(plot, 'KeyP');
    expect(head('Pinned')).toBeDefined();
    view.dispose();
  });
});
