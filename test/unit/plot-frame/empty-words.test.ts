// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import type { FeedStatus } from '../../../src/feed/feed';
import type { Plot } from '../../../src/plot/plot';
import { PlotCard } from '../../../src/plot-frame/plot-card';
import { PLOTS } from '../../../src/plots';
import { Run } from '../../../src/run/run';
import { cluster, context } from '../plots/cluster';
import { translate as trans } from '../translate';
import { theme } from '../views/light-theme';

/** What a card of a plot says of a run without data. */
function said(plot: Plot, run: Run, status: FeedStatus): string {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe(): void {}
      disconnect(): void {}
    }
  );
  const feed = { state: { status, answered: 0, reason: '' } } as never;
  class Shown extends PlotCard {
    constructor() {
      const place = { heading: document.createElement('h2'), className: '', openMenu: () => undefined };
      super(plot, { run, feed, trans, saved: {}, open: () => undefined }, place);
      this.show();
      this.setTheme(theme);
    }
  }
  const card = new Shown();
  const text = card.node.querySelector('.dp-Message')?.textContent ?? '';
  card.dispose();
  return text;
}

const WITHOUT = [new Run(), cluster({}), cluster({ workers: [{}] }), cluster({ workers: [{ status: 'closed' }] })];

it('says what will come only where time goes on', () => {
  const live = /appears? here|\byet\b|as soon as|when they join|while something is computed|Run something/i;
  const wrong = PLOTS.flatMap(plot =>
    WITHOUT.flatMap(run => {
      const empty = plot.empty(run, context());
      return empty !== null && live.test(empty.body) && empty.awaited !== true ? [`${plot.id}: ${empty.body}`] : [];
    })
  );
  expect(wrong).toEqual([]);
});

it('promises nothing in a head, which is the same in a recording and after the end of a client', () => {
  const heads = PLOTS.flatMap(plot => WITHOUT.map(run => plot.empty(run, context())?.head ?? ''));
  expect(heads.filter(head => /\byet\b/i.test(head))).toEqual([]);
  const plot = PLOTS.find(({ id }) => id === 'progress') as Plot;
  const run = cluster({ workers: [{}] });
  expect(said(plot, run, 'live')).toBe('No tasks.Each function appears here with its first task.');
  expect(said(plot, run, 'recorded')).toBe('No tasks.The recording has nothing to show here at this moment.');
});

it('says of a recording and of a client that has ended that there is nothing, and no more what will come', () => {
  const plot = PLOTS.find(({ id }) => id === 'errors') as Plot;
  const run = cluster({ workers: [{}] });
  expect(said(plot, run, 'live')).toContain('appear here');
  expect(said(plot, run, 'recorded')).toBe('No errors are known.The recording has nothing to show here at this moment.');
  expect(said(plot, run, 'closed')).toBe('No errors are known.There was nothing to show here until the end.');
});

it('keeps other reasons', () => {
  const plot = PLOTS.find(({ id }) => id === 'gpu-memory') as Plot;
  expect(said(plot, cluster({ workers: [{}] }), 'recorded')).toContain('pynvml');
});
