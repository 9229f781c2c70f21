// @vitest-environment jsdom
// Scrolling through more rows than a browser lays out.
import { expect, it } from 'vitest';
import { bringRow } from '../../../../src/views/table/in-view';
import { RowScroll } from '../../../../src/views/table/long/row-scroll';

const [ROW, VIEW] = [24, 400];

/** A scroller of a browser: its position is within its content, and on whole pixels of the screen. */
function stand(count: number) {
  const [above, below] = [document.createElement('div'), document.createElement('div')];
  let [place, content, first, drawn] = [0, VIEW, 0, 0];
  const scroller = {
    clientHeight: VIEW,
    get scrollTop() {
      return place;
    },
    set scrollTop(to: number) {
      place = Math.max(0, Math.min(Math.round(2 * to) / 2, content - VIEW));
    }
  } as unknown as HTMLElement;
  const scroll = new RowScroll(scroller, above, below);
  const height = (node: HTMLElement): number => Number.parseFloat(node.style.height);
  const draw = (): void => {
    scroll.measure(count, ROW);
    const [begin, end] = scroll.inView(VIEW, 4);
    scroll.spread(begin, end - begin);
    [first, drawn] = [begin, end - begin];
    content = ROW + height(above) + drawn * ROW + height(below);
    // The browser applies what was asked for before there was room for it.
    scroller.scrollTop = place;
  };
  draw();
  return {
    draw,
    content: () => content,
    /** Where a row is below the upper edge of the view; undefined if it is not drawn. */
    y: (row: number): number | undefined =>
      row < first || row >= first + drawn ? undefined : ROW + height(above) + (row - first) * ROW - place,
    /** A row in view, below the header. */
    top: () => first + Math.max(0, Math.ceil((place - height(above)) / ROW)),
    wheel(by: number) {
      scroller.scrollTop += by;
      draw();
    },
    thumb(to: number) {
      scroller.scrollTop = to * (content - VIEW);
      draw();
    },
    bring(row: number) {
      bringRow(scroll, row * ROW, ROW);
      draw();
    }
  };
}

it('few rows are where they are without it', () => {
  const { thumb, wheel, y, content, top } = stand(1000);
  expect(content()).toBe(1001 * ROW);
  wheel(100);
  expect(y(10)).toBe(ROW + 240 - 100);
  thumb(1);
  expect(y(999)).toBe(VIEW - ROW);
  thumb(0);
  expect([y(0), top()]).toEqual([ROW, 0]);
});

it('the thumb reaches every part of millions of rows, with content that browsers lay out', () => {
  const { thumb, y, content, top } = stand(5_000_000);
  for (const share of [0, 0.3, 0.5, 0.9, 1, 0.2, 0]) {
    thumb(share);
    expect(content()).toBeCloseTo(8_000_000, 3);
    expect(top() / 5_000_000).toBeCloseTo(share, 1);
  }
  expect(y(0)).toBe(ROW);
  thumb(1);
  expect(y(4_999_999)).toBeCloseTo(VIEW - ROW, 3);
});

it('the wheel moves by as many rows as among few, all the way from anywhere', () => {
  const { thumb, wheel, y, top } = stand(2_000_000);
  thumb(0.5);
  let row = top();
  const begin = y(row) as number;
  // More than the scroller has below it.
  for (let i = 0; i < 6_000; i++) {
    wheel(1200);
    row += 50;
  }
  expect(y(row)).toBeCloseTo(begin, 3);
  for (let i = 0; i < 6_000; i++) {
    wheel(-1200);
    row -= 50;
  }
  expect(y(row)).toBeCloseTo(begin, 3);
  // At both ends.
  thumb(0.02);
  row = top();
  for (let i = 0; i <= row / 50; i++) {
    wheel(-1200);
  }
  expect(y(0)).toBe(ROW);
  thumb(0.98);
  row = top();
  for (let i = 0; i <= (2_000_000 - row) / 50; i++) {
    wheel(1200);
  }
  expect(y(1_999_999)).toBeCloseTo(VIEW - ROW, 0);
});

it('the keyboard reaches each row, by steps and at once', () => {
  const { bring, y } = stand(2_000_000);
  for (const row of [0, 1_999_999, 1_000_000, 17, 1_500_000]) {
    bring(row);
    const at = y(row) as number;
    expect(at).toBeGreaterThanOrEqual(ROW - 0.01);
    expect(at).toBeLessThanOrEqual(VIEW - ROW + 0.01);
  }
  for (let row = 1_500_000; row < 1_500_500; row++) {
    bring(row);
    expect(y(row)).toBeLessThanOrEqual(VIEW - ROW + 0.01);
  }
});
