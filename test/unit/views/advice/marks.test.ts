// @vitest-environment jsdom
import { textWidth } from '../../../../src/plot/text';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hideCauses } from '../../../../src/advice/hidden';
import { adviceOf } from '../../../../src/advice/shown';
import { setNumberLocale } from '../../../../src/base/format';
import { frozen } from '../../../../src/run/frozen';
import type { Run } from '../../../../src/run/run';
import { selectionOf } from '../../../../src/run/selection/selection';
import { AdviceMarks, type MarkedAxis } from '../../../../src/views/advice/marks';
import type { ViewHost } from '../../../../src/views/view';
import { EPOCH, made, tasks } from '../../advice/made';
import { context } from '../../plots/cluster';
import { EVEN, feedOf, frame, holdFrames, releaseFrames, viewOf } from '../timeline/stand';

const trans = context().trans;
let opened: string[] = [];
let changed = 0;

/** Four threads; one of them has a task that takes 20 times as long as the others. */
function straggling(): Run {
  return made({
    rows: [...[0, 1, 2, 3].flatMap(lane => tasks(lane, 10, 0.2)), { lane: 0, start: 2, duration: 4, prefix: 0 }],
    now: 6
  });
}

function marksOf(run: Run): AdviceMarks {
  const host = { run, trans, context: context(), open: (plot: string) => opened.push(plot) } as unknown as ViewHost;
  return new AdviceMarks(host, () => {
    changed += 1;
  });
}

/** 100 pixels a second, from 50 on. */
const AXIS: MarkedAxis = { left: 50, right: 650, at: time => 50 + (time - EPOCH) * 100 };
const shown = (marks: AdviceMarks): HTMLElement[] => [...marks.node.querySelectorAll<HTMLElement>('.dp-Mark')];

beforeEach(() => {
  setNumberLocale('en');
  [opened, changed] = [[], 0];
});

describe('Marks of advice', () => {
  it('are there as soon as anything has computed it, where the evidence is', () => {
    const run = straggling();
    const marks = marksOf(run);
    expect(marks.update(run, AXIS, 400, 1)).toBe(false);
    expect([shown(marks), changed]).toEqual([[], 0]);
    // A report and a paused pane compute it of a copy.
    const { verdicts } = adviceOf(frozen(run), null, trans);
    expect(changed).toBe(1);
    expect(marks.update(run, AXIS, 400, 1)).toBe(true);
    const [mark, ...others] = shown(marks);
    expect(others).toEqual([]);
    expect(mark.title).toBe(verdicts[0].sentence);
    // A sign and words, so that the colour is not needed.
    expect(mark.textContent).toMatch(/^▲A few tasks take much longer than the others · \d+ %$/);
    const range = mark.querySelector<HTMLElement>('.dp-Mark-range')!;
    const [, left] = /translate\(([\d.]+)px/.exec(mark.style.transform) ?? [];
    const { from, to } = verdicts[0].evidence.selection.period!;
    expect(Number(left) + Number.parseFloat(range.style.left)).toBeCloseTo(AXIS.at(from), 0);
    expect(Number.parseFloat(range.style.width)).toBeCloseTo(AXIS.at(to) - AXIS.at(from), 0);
    expect(marks.height).toBe(17);
  });

  it('leave a gap between the end of a text and the edge', () => {
    const run = straggling();
    const marks = marksOf(run);
    const { verdicts } = adviceOf(run, null, trans);
    // The period begins shortly before the edge, so the text grows to the left.
    const { from } = verdicts[0].evidence.selection.period!;
    marks.update(run, { left: 50, right: 650, at: time => 640 + (time - from) * 100 }, 400, 1);
    const [mark] = shown(marks);
    const [, left] = /translate\(([\d.]+)px/.exec(mark.style.transform) ?? [];
    expect(Number(left) + Number.parseFloat(mark.style.width)).toBeCloseTo(650, 0);
    const text = textWidth(mark.querySelector('.dp-Mark-text')?.textContent ?? '');
    // The sign with its gap and the padding take 18 px of the room beside the text.
    expect(Number.parseFloat(mark.style.width) - text).toBeGreaterThanOrEqual(18 + 8);
  });

  it('show the evidence, and keep their element for the click', () => {
    const run = straggling();
    const marks = marksOf(run);
    adviceOf(run, null, trans);
    marks.update(run, AXIS, 400, 1);
    const [before] = shown(marks);
    marks.update(run, { ...AXIS, at: time => AXIS.at(time) - 20 }, 400, 1);
    expect(shown(marks)).toEqual([before]);
    before.click();
    expect(opened).toEqual(['task-stream']);
    expect(selectionOf(run).current.period).not.toBeNull();
  });

  it('go with a cause that the user has hidden', () => {
    const run = straggling();
    const marks = marksOf(run);
    adviceOf(run, null, trans);
    marks.update(run, AXIS, 400, 1);
    changed = 0;
    hideCauses(run, new Set(['straggler']));
    expect(changed).toBe(1);
    expect(marks.update(run, AXIS, 400, 1)).toBe(true);
    expect([shown(marks), marks.height]).toEqual([[], 0]);
    hideCauses(run, new Set(['straggler']));
    expect(changed).toBe(1);
  });

  it('are not there outside of the visible time, in a low view, and after some time without advice', () => {
    const run = straggling();
    const marks = marksOf(run);
    adviceOf(run, null, trans);
    for (const elsewhere of [20, 900]) {
      marks.update(run, { ...AXIS, at: () => elsewhere }, 400, 1);
      expect(shown(marks)).toEqual([]);
    }
    marks.update(run, AXIS, 150, 1);
    expect(shown(marks)).toEqual([]);
    marks.update(run, AXIS, 400, 1);
    expect(shown(marks)).toHaveLength(1);
    run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: EPOCH + 20, cursor: {}, names: {}, topics: {} }, 0);
    marks.update(run, AXIS, 400, 1);
    expect(shown(marks)).toEqual([]);
    marks.dispose();
    changed = 0;
    adviceOf(run, null, trans);
    hideCauses(run, new Set(['gil']));
    expect(changed).toBe(0);
  });
});

describe('A timeline', () => {
  beforeEach(holdFrames);
  afterEach(() => {
    releaseFrames();
    vi.restoreAllMocks();
  });

  it('has marks above its picture, which gets lower by them', async () => {
    const run = straggling();
    const view = await viewOf(run, feedOf(), {}, EVEN);
    view.resize(600, 400);
    frame();
    const strip = view.node.querySelector<HTMLElement>('.dp-Marks')!;
    expect(strip.children).toHaveLength(0);
    adviceOf(run, null, trans);
    frame();
    frame();
    expect([...strip.children].map(mark => (mark as HTMLElement).dataset.cause)).toEqual(['straggler']);
    expect(strip.style.height).toBe('17px');
    view.dispose();
  });
});
