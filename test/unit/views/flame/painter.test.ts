// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { ProfileStore } from '../../../../src/run/logs/profile';
import { SampledTree } from '../../../../src/selectors/profile/trees/stack-tree';
import { layoutFlame } from '../../../../src/views/flame/layout';
import { FlamePainter, rowHeight } from '../../../../src/views/flame/painter';
import { theme as themeOf } from '../../plots/cluster';
import { EXAMPLE, profileBody } from '../../run/profile-body';
import { translate as trans } from '../../translate';
import { type Call, RecordedCanvas } from '../recorded-canvas';

const theme = themeOf();
/** Letters at the beginning of names are wider than those at their end. */
const widthOf = (text: string): number => [...text].reduce((sum, _, i) => sum + (i < 4 ? 14 : 4), 0);

function labels(width: number, height: number): readonly Call[] {
  const store = new ProfileStore();
  store.apply(profileBody(EXAMPLE));
  const tree = new SampledTree(store, store.fold(), false);
  const recorded = new RecordedCanvas();
  const { context } = recorded;
  Object.assign(context, { measureText: (text: string) => ({ width: widthOf(text) }) });
  const canvas = document.createElement('canvas');
  canvas.getContext = (() => context) as unknown as typeof canvas.getContext;
  const scene = { store, tree, theme, trans, width, height, ratio: 1, scroll: 0 };
  const layout = layoutFlame(tree, 0, width);
  new FlamePainter(canvas).paint({ ...scene, layout, compared: null, found: null, hidden: new Set() });
  return recorded.of('fillText');
}

describe('labels of boxes', () => {
  it('end within their boxes, however wide their letters are', () => {
    const all = labels(150, 1000);
    const cut = all.filter(({ args }) => String(args[0]).endsWith('…'));
    expect(cut.length).toBeGreaterThan(0);
    for (const { args } of all) {
      expect(Number(args[1]) + widthOf(String(args[0]))).toBeLessThanOrEqual(150 - 4);
    }
  });

  it('are left out where the window ends within them', () => {
    const pitch = rowHeight(theme);
    const rows = labels(1000, 2 * pitch).length;
    expect(labels(1000, 2 * pitch + pitch / 2)).toHaveLength(rows);
    expect(labels(1000, 3 * pitch).length).toBeGreaterThan(rows);
  });
});
