// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { PlotCard } from '../../../src/plot-frame/plot-card';
import type { PlotContext } from '../../../src/plot/plot';
import { profile } from '../../../src/plots/time/profile';
import { NOTHING_SELECTED, type Selection, selectionOf } from '../../../src/run/selection/selection';
import { cluster } from '../plots/cluster';
import { EXAMPLE, profileBody } from '../run/profile-body';
import { translate as trans } from '../translate';
import { blankCanvases } from '../views/blank-canvas';
import { theme } from '../views/light-theme';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('has texts about what is selected, as its picture is', async () => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe(): void {}
      disconnect(): void {}
    }
  );
  blankCanvases();
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  const run = cluster({ time: 1004, workers: [{ name: 'alice' }, { name: 'bob' }] });
  run.profile.apply(profileBody(EXAMPLE));
  let given = (): Selection => NOTHING_SELECTED;
  class Shown extends PlotCard {
    protected override write(context: PlotContext): void {
      given = () => context.selection;
      super.write(context);
    }

    constructor() {
      const place = { heading: document.createElement('h2'), className: '', openMenu: () => undefined };
      super(profile, { run, feed: null, trans, saved: {}, open: () => undefined } as never, place);
      document.body.append(this.node);
      this.show();
      this.setTheme(theme);
      this.setVisible(true);
    }
  }
  const card = new Shown();
  const counts = (): string => card.node.querySelector('.dp-Pane-counts')?.textContent ?? '';
  await vi.waitFor(() => expect(card.node.querySelector('.dp-Flame-plot')).not.toBeNull());
  expect(counts()).toContain('100 samples');
  selectionOf(run).select({ functions: ['train'] });
  await vi.waitFor(() => expect(counts()).toContain('60 samples'));
  expect(counts()).toContain('only train');
  expect(given().functions).toEqual(['train']);
  selectionOf(run).clear();
  await vi.waitFor(() => expect(counts()).toContain('100 samples'));
  card.dispose();
});
