// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { ticks, tickStep } from '../../../../src/views/canvas/ticks';
import { Axis } from '../../../../src/views/timeline/paint/axis';
import { Stage } from '../../../../src/views/timeline/stage';
import { Viewport } from '../../../../src/views/timeline/time/viewport';

describe('ticks', () => {
  it('counts in steps that people count in', () => {
    expect([0.0003, 0.02, 0.3, 0.6, 3, 7, 20, 40, 100, 4000, 50_000].map(tickStep)).toEqual([
      0.0005, 0.02, 0.5, 1, 5, 10, 30, 60, 120, 7200, 86_400
    ]);
  });

  it('writes as many decimals as the step needs', () => {
    expect(
      ticks(0, 45, 4)
        .map(tick => tick.text)
        .slice(0, 3)
    ).toEqual(['0:00', '0:05', '0:10']);
    expect(ticks(7199, 7802, 250).map(tick => tick.text)).toEqual(['2:00:00', '2:05:00', '2:10:00']);
    expect(ticks(31.1, 31.5, 0.2).map(tick => tick.text)).toEqual(['0:31.2', '0:31.4']);
  });

  it('has none before the run began, and none for senseless periods', () => {
    expect(ticks(-100, 4, 5).map(tick => tick.elapsed)).toEqual([0]);
    expect(ticks(5, 5, 1)).toEqual([]);
    expect(ticks(Number.NaN, 5, 1)).toEqual([]);
    expect(ticks(0, Number.POSITIVE_INFINITY, 1)).toEqual([]);
    expect(ticks(0, 1, 0)).toEqual([]);
    expect(ticks(0, 1e9, 1).length).toBeLessThanOrEqual(1000);
  });
});

describe('Axis', () => {
  it('has more than one label in a narrow pane', () => {
    const axis = new Axis('now');
    const viewport = new Viewport();
    Object.assign(viewport, { anchor: 1000, perColumn: 60 / 216, first: 0, width: 216 });
    const texts = (): (string | null)[] => [...axis.node.querySelectorAll('span')].map(label => label.textContent);
    axis.update(viewport, 1000, 1, 1, Number.NaN);
    expect(texts()).toEqual(['0:00', '0:15', '0:30', '0:45']);
    // Longer ones keep their distance.
    axis.update(viewport, 1000 - 36_000, 1, 1, Number.NaN);
    expect(texts()).toHaveLength(2);
  });

  it('moves a label with its time while the picture is zoomed, and writes it once', () => {
    const axis = new Axis('now');
    const viewport = new Viewport();
    const show = (perColumn: number, first: number): HTMLElement[] => {
      Object.assign(viewport, { anchor: 1000, perColumn, first, width: 600 });
      axis.update(viewport, 1000, 1, 1, Number.NaN);
      return [...axis.node.querySelectorAll('span')];
    };
    const textsOf = (labels: readonly HTMLElement[]): string[] => labels.map(label => label.textContent).sort();
    const before = show(0.1, 100);
    expect(textsOf(before)).toEqual(['0:10', '0:20', '0:30', '0:40', '0:50', '1:00']);
    const [stays] = before.filter(label => label.textContent === '0:40');
    const x = stays.style.transform;
    // The first two times are out of view, and another one has come.
    const after = show(0.1, 260);
    expect(textsOf(after)).toEqual(['0:30', '0:40', '0:50', '1:00', '1:10', '1:20']);
    expect([after.includes(stays), stays.textContent, stays.style.transform === x]).toEqual([true, '0:40', false]);
    const lines = axis.grid.querySelectorAll('.dp-Timeline-ticks > div');
    expect([lines.length, show(0.05, 0).length]).toEqual([6, lines.length]);
    expect(new Set(textsOf(after)).size).toBe(6);
  });

  it('begins so far before the lanes that its first label is whole, at every font size', () => {
    const stage = new Stage();
    const before = (font: number): string => {
      stage.resize(900, 200, font);
      return stage.node.style.getPropertyValue('--dp-axis-before');
    };
    expect([1, 20 / 13].map(before)).toEqual(['20px', '31px']);
  });

  it('has no label where now is written, also when the picture has moved there', () => {
    const axis = new Axis('now');
    const viewport = new Viewport();
    Object.assign(viewport, { anchor: 1000, perColumn: 0.1, first: 0, width: 600 });
    const shown = (): (string | null)[] =>
      [...axis.node.querySelectorAll('span')].filter(label => label.style.visibility === '').map(label => label.textContent);
    axis.update(viewport, 1000, 1, 1, 590);
    expect(shown()).toEqual(['0:00', '0:10', '0:20', '0:30', '0:40', '0:50']);
    viewport.pan(-80);
    axis.update(viewport, 1000, 1, 1, 590);
    expect(shown()).toEqual(['0:00', '0:10', '0:20', '0:30', '0:40']);
    axis.update(viewport, 1000, 1, 1, Number.NaN);
    expect(shown()).toContain('0:50');
  });
});
