// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest';
import { ViewHolder } from '../../../src/plot-frame/view-holder';
import { plotById } from '../../../src/plots';
import type { Plot } from '../../../src/plot/plot';
import type { Run } from '../../../src/run/run';
import { createTableView } from '../../../src/views';
import type { View, ViewHost } from '../../../src/views/view';
import { cluster, context, step } from '../plots/cluster';
import { translate } from '../translate';

beforeEach(() =>
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe(): void {}
      disconnect(): void {}
    }
  )
);

const progress = plotById('progress') as Plot;

function hostOf(run: Run): ViewHost {
  return { run, feed: null, trans: translate, context: context(), saved: {}, save: () => undefined, open: () => undefined };
}

/** Every view that was made, the newest last. */
function holding(): { readonly holder: ViewHolder; readonly made: View[]; show(run: Run): Promise<void> } {
  const made: View[] = [];
  const holder = new ViewHolder(document.createElement('div'), {
    failed: error => expect(error).toBeNull(),
    pausedChanged: () => undefined
  });
  const create = async (plot: Plot, host: ViewHost): Promise<View> => {
    const view = await createTableView(plot, host);
    made.push(view);
    return view;
  };
  return { holder, made, show: run => holder.show(progress, hostOf(run), create) };
}

it('shows the same moment in another view of a paused plot', async () => {
  const run = cluster({ time: 5, prefixes: [{ name: 'inc', memory: 3 }] });
  const { holder, show } = holding();
  await show(run);
  holder.setPaused(true);
  const { shownRun } = holder;
  step(run, { time: 9, prefixes: [{ name: 'inc', memory: 400 }] });
  await show(run);
  expect(holder.shownRun).toBe(shownRun);
  expect(holder.shownAt).toBe(5);
  expect(holder.shownRun?.prefixes.get(0, 'memory')).toBe(3);
  holder.setPaused(false);
  expect(holder.shownRun).toBeNull();
  holder.setPaused(true);
  expect(holder.shownAt).toBe(9);
});

it('shows a moment of the run that it is given, not of another', async () => {
  const { holder, show } = holding();
  await show(cluster({ time: 5, prefixes: [{ name: 'inc' }] }));
  holder.setPaused(true);
  const other = cluster({ time: 70, prefixes: [{ name: 'add' }] });
  await show(other);
  expect(holder.shownAt).toBe(70);
  expect(holder.shownRun?.prefixNames).toEqual(['add']);
});

it('shows nothing that was being created when it failed', async () => {
  const run = cluster({ time: 5, prefixes: [{ name: 'inc' }] });
  const { holder, made, show } = holding();
  await show(run);
  const pending = show(run);
  // As a pane does with each failure.
  holder.drop();
  await pending;
  expect(made.map(({ isDisposed }) => isDisposed)).toEqual([true, true]);
  expect([holder.ready, holder.node.childElementCount]).toEqual([false, 0]);
  await show(run);
  expect(holder.ready).toBe(true);
});

it('is as sharp on another monitor: the view is measured again when the ratio of pixels changes', async () => {
  const asked: string[] = [];
  let media = new EventTarget();
  vi.stubGlobal('matchMedia', (query: string) => {
    asked.push(query);
    media = new EventTarget();
    return media;
  });
  vi.stubGlobal('devicePixelRatio', 2);
  const { holder, made, show } = holding();
  await show(cluster({ time: 5, prefixes: [{ name: 'inc' }] }));
  const resize = vi.spyOn(made[0], 'resize');
  for (const ratio of [1, 2]) {
    vi.stubGlobal('devicePixelRatio', ratio);
    media.dispatchEvent(new Event('change'));
  }
  expect(asked.filter(query => query.includes('resolution'))).toEqual([2, 1, 2].map(ratio => `(resolution: ${ratio}dppx)`));
  expect(resize).toHaveBeenCalledTimes(2);
  holder.dispose();
  media.dispatchEvent(new Event('change'));
  expect(asked.filter(query => query.includes('resolution'))).toHaveLength(3);
});
