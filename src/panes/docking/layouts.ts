/** The layouts in the sidebar: which plots, where, how large. */
import type { CssPixels } from '../../base/units';
import type { Catalogue } from '../catalogue';
import type { PaneLook } from '../pane/pane-args';
import { type Area, atLeast, split, tabs } from './dock-tree';

/** A layout by name. */
export interface PaneLayout {
  readonly id: string;
  /** In English; translated where it is shown. */
  readonly title: string;
  readonly caption: string;
  /** Its plots, each once; a second pane of a plot has "#2" after it. */
  readonly plots: readonly string[];
  /** What an entry of `plots` shows; default: what a new pane shows. */
  look?(plot: string): PaneLook;
  /** Whether a user or a site has saved it in the settings. */
  readonly saved?: boolean;
  /** Positions of the panes, given one per plot and the available space. */
  arrange<W>(pane: (plot: string) => W, width: CssPixels, height: CssPixels): Area<W>;
}

/** Below this width everything is in one column. */
const ONE_COLUMN: CssPixels = 700;

/** Below this height a column of five panes shows none of them: they are tabs. */
const LOW: CssPixels = 600;

/** Below this height five panes below each other have no room for legends and for each of some workers. */
const MIDDLING: CssPixels = 900;

/** Less than half of this height shows neither which task ran nor which function took the time. */
const LOWEST: CssPixels = 360;

/** Panes of Status, in the order of its plots, below each other. */
function statusInColumn<W>([stored, perWorker, nprocessing, ...others]: readonly W[], height: CssPixels): Area<W> {
  const [cpu, occupancy, transfers, stream, progress] = others;
  if (height < LOW) {
    return split('vertical', [
      // More tabs beside each other, or those whose names begin alike, could not be distinguished.
      [tabs(stream, stored, nprocessing), 0.6],
      [tabs(progress, perWorker, cpu, occupancy, transfers), 0.4]
    ]);
  }
  if (height < MIDDLING) {
    const [top, rest] = atLeast(0.15, 120, height);
    return split('vertical', [
      [tabs(stored), top],
      [tabs(perWorker, nprocessing, cpu, occupancy, transfers), rest * 0.32],
      [tabs(stream), rest * 0.42],
      [tabs(progress), rest * 0.26]
    ]);
  }
  return split('vertical', [
    [tabs(stored), 0.12],
    [tabs(perWorker), 0.2],
    [tabs(nprocessing, cpu, occupancy, transfers), 0.2],
    [tabs(stream), 0.28],
    [tabs(progress), 0.2]
  ]);
}

/** The same in two columns. */
function statusBeside<W>([stored, perWorker, ...others]: readonly W[], width: CssPixels, height: CssPixels): Area<W> {
  const [nprocessing, cpu, occupancy, transfers, stream, progress] = others;
  const loads = [nprocessing, cpu, occupancy, transfers];
  const [top, rest] = atLeast(0.18, 120, height);
  const [left, right] = atLeast(0.3, 256, width);
  // Such as the half of a page of Notebook 7, in which three panes show one or two workers.
  const low = height < LOW;
  const flow = low ? 0.62 : 0.72;
  const workers = split(
    'vertical',
    low
      ? [[tabs(perWorker, ...loads), 1]]
      : [
          [tabs(perWorker), 40],
          [tabs(...loads), 42]
        ]
  );
  const stack = split('vertical', [
    [tabs(stored), top],
    [workers, rest]
  ]);
  const work = split('vertical', [
    [tabs(stream), flow],
    [tabs(progress), 1 - flow]
  ]);
  return split('horizontal', [
    [stack, left],
    [work, right]
  ]);
}

/** Memory and per-worker plots on the left, the task stream above progress on the right. */
const status: PaneLayout = {
  id: 'status',
  title: 'Status',
  caption: 'Memory, workers, task stream and progress at a glance',
  plots: [
    'cluster-memory',
    'workers-memory',
    'nprocessing',
    'cpu',
    'occupancy',
    'workers-transfer-bytes',
    'task-stream',
    'progress'
  ],
  arrange: (pane, width, height) => {
    const parts = status.plots.map(pane);
    return width < ONE_COLUMN ? statusInColumn(parts, height) : statusBeside(parts, width, height);
  }
};

/** Where memory is: the cluster and each worker on the left, whose results and since when on the right. */
const memory: PaneLayout = {
  id: 'memory',
  title: 'Memory',
  caption: 'Memory of the cluster, by worker, by function and over time',
  plots: ['cluster-memory', 'workers-memory', 'memory-by-key', 'memory-timeseries'],
  arrange: (pane, width, height) => {
    if (width < ONE_COLUMN && height < LOW) {
      const [stored, perWorker, byFunction, course] = memory.plots.map(pane);
      return split('vertical', [
        [tabs(perWorker, stored), 0.5],
        [tabs(byFunction, course), 0.5]
      ]);
    }
    const [stored, perWorker, byFunction, course] = memory.plots.map(plot => tabs(pane(plot)));
    if (width < ONE_COLUMN) {
      return split('vertical', [
        [stored, 0.16],
        [perWorker, 0.28],
        [byFunction, 0.28],
        [course, 0.28]
      ]);
    }
    const [top, rest] = atLeast(0.18, 120, height);
    const left = split('vertical', [
      [stored, top],
      [perWorker, rest]
    ]);
    const right = split('vertical', [
      [byFunction, 0.5],
      [course, 0.5]
    ]);
    return split('horizontal', [
      [left, 0.5],
      [right, 0.5]
    ]);
  }
};

/** Where the time goes: the profile above the tasks whose rectangles lead to it. */
const profile: PaneLayout = {
  id: 'profile',
  title: 'Profile',
  caption: 'Which code the time goes into, and when which task ran',
  plots: ['profile', 'profile-server', 'task-stream'],
  arrange: (pane, _, height) => {
    const share = height < LOWEST ? 0.5 : 0.6;
    return split('vertical', [
      [tabs(pane('profile'), pane('profile-server')), share],
      [tabs(pane('task-stream')), 1 - share]
    ]);
  }
};

/** What failed, on the left, beside when it failed and what workers and scheduler said. */
const errors: PaneLayout = {
  id: 'errors',
  title: 'Errors',
  caption: 'What erred, when, and what workers and scheduler said',
  plots: ['errors', 'task-stream', 'logs', 'events'],
  arrange: (pane, width, height) => {
    const [failed, stream, logs, events] = errors.plots.map(pane);
    if (width < ONE_COLUMN || height < LOW) {
      return split('vertical', [
        [tabs(failed), 0.5],
        [tabs(logs, stream, events), 0.5]
      ]);
    }
    return split('vertical', [
      [tabs(failed), 0.36],
      [tabs(stream), 0.32],
      [tabs(logs, events), 0.32]
    ]);
  }
};

/** Tasks, resources and cache below each other, on one time axis. */
const local: PaneLayout = {
  id: 'local',
  title: 'Local',
  caption: 'Tasks, resources and cache of computations without a Client',
  plots: ['local-tasks', 'local-resources', 'local-cache'],
  arrange: (pane, _, height) => {
    const [tasks, resources, cache] = local.plots.map(pane);
    if (height < LOWEST) {
      return split('vertical', [
        [tabs(tasks), 0.5],
        [tabs(resources, cache), 0.5]
      ]);
    }
    return split('vertical', [
      [tabs(tasks), 0.4],
      [tabs(resources), 0.3],
      [tabs(cache), 0.3]
    ]);
  }
};

/** All layouts, in the order of the sidebar. */
export const LAYOUTS: readonly PaneLayout[] = [status, memory, profile, errors, local];

/** The layout of an id or a title among others. */
export function layoutNamed(layouts: Catalogue<PaneLayout>, name: string): PaneLayout | undefined {
  const title = name.trim().toLowerCase();
  return layouts.find(name) ?? layouts.all.find(layout => layout.title.toLowerCase() === title);
}

/** Id of the plot of an entry of a layout's list. */
export function plotOf(key: string): string {
  return key.split('#', 1)[0];
}
