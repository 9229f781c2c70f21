// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Run } from '../../../../src/run/run';
import { windowOf } from '../../../../src/run/time-window';
import type { View } from '../../../../src/views/view';
import { apply, EPOCH, feedOf, frame, framesDue, holdFrames, press, releaseFrames, viewOf } from './stand';

beforeEach(holdFrames);
afterEach(releaseFrames);

async function stand(): Promise<{ run: Run; view: View; pauses: boolean[] }> {
  const run = new Run();
  const view = await viewOf(run, feedOf());
  for (let at = 0; at < 40; at += 1) {
    apply(run, EPOCH + at, EPOCH + at + 1);
  }
  view.update();
  frame();
  const pauses: boolean[] = [];
  view.pausedChanged.connect((_, paused) => pauses.push(paused));
  return { run, view, pauses };
}

/** What views of the run show, in seconds after the start. */
function shown(run: Run): { span: number[]; chosen: number[] } {
  const { span, chosen } = windowOf(run);
  const [a, b] = [span, chosen].map(each => (each === null ? [] : [each.from - EPOCH, each.to - EPOCH]));
  return { span: a, chosen: b };
}

/** Within a column of the picture. */
const PERIOD = { from: EPOCH + 5, to: EPOCH + 15 };
const NEAR = [expect.closeTo(5, 1), expect.closeTo(15, 1)];

describe('A timeline and charts of its run', () => {
  it('goes where a chart wants to be without a pause, and follows as before when the chart goes back', async () => {
    const { run, view, pauses } = await stand();
    const before = shown(run);
    expect(before.chosen).toEqual([]);
    windowOf(run).go(PERIOD);
    frame();
    expect(shown(run)).toEqual({ span: NEAR, chosen: NEAR });
    frame();
    expect(framesDue(), 'nothing moves').toBe(0);
    apply(run, EPOCH + 10, EPOCH + 41);
    expect([view.shownRun, view.shownAt]).toEqual([null, Number.NaN]);
    windowOf(run).go(null);
    frame();
    frame();
    expect(pauses).toEqual([]);
    const [from, to] = shown(run).span;
    expect(to - from).toBeCloseTo(before.span[1] - before.span[0], 1);
    expect(shown(run).chosen).toEqual([]);
    view.dispose();
  });

  it('takes charts along when the user goes away in it, not when it is only paused', async () => {
    const { run, view } = await stand();
    view.setPaused(true);
    frame();
    expect(shown(run).chosen).toEqual([]);
    press(view, 'KeyA');
    frame();
    expect(shown(run).chosen).toEqual(shown(run).span);
    press(view, 'KeyL');
    frame();
    expect(shown(run).chosen).toEqual([]);
    view.dispose();
  });

  it('can be paused there, and follows when it is resumed', async () => {
    const { run, view, pauses } = await stand();
    windowOf(run).go(PERIOD);
    frame();
    view.setPaused(true);
    expect(view.shownRun).not.toBeNull();
    view.setPaused(false);
    frame();
    expect([view.shownRun, shown(run).chosen.length]).toEqual([null, 0]);
    windowOf(run).go(PERIOD);
    frame();
    press(view, 'KeyL');
    frame();
    expect(shown(run).chosen).toEqual([]);
    expect(pauses).toEqual([]);
    view.dispose();
  });

  it('stays paused where what is wanted came before the pause, and goes on where it came after it', async () => {
    const { run, view, pauses } = await stand();
    press(view, 'KeyA');
    frame();
    for (let at = 60; at < 70; at += 1) {
      apply(run, EPOCH + at, EPOCH + at + 1);
    }
    windowOf(run).go(PERIOD);
    frame();
    expect([view.shownRun?.tasks.count, shown(run).span]).toEqual([40, NEAR]);
    windowOf(run).go({ from: EPOCH + 60, to: EPOCH + 70 });
    frame();
    expect([view.shownRun, pauses]).toEqual([null, [true, false]]);
    expect(shown(run).span).toEqual([expect.closeTo(60, 1), expect.closeTo(70, 1)]);
    expect(view.node.querySelector('.dp-Timeline-vacancy')?.textContent ?? '').not.toContain('later than');
    view.dispose();
  });

  it('leaves charts to themselves while a message is in its place', async () => {
    const { run, view } = await stand();
    view.resize(0, 0);
    windowOf(run).go(PERIOD);
    expect(shown(run)).toEqual({ span: [], chosen: [5, 15] });
    view.resize(600, 200);
    frame();
    expect(shown(run).span).toEqual(NEAR);
    view.dispose();
  });

  it('does what was asked for while it was hidden', async () => {
    const { run, view, pauses } = await stand();
    view.setVisible(false);
    windowOf(run).go(PERIOD);
    expect(shown(run).chosen).toEqual([5, 15]);
    view.setVisible(true);
    frame();
    expect(shown(run).span).toEqual(NEAR);
    view.setVisible(false);
    windowOf(run).go(null);
    view.setVisible(true);
    frame();
    expect(shown(run).chosen).toEqual([]);
    expect(pauses).toEqual([]);
    view.dispose();
  });

  it('begins where the views of the run are; one that is opened after the way back follows', async () => {
    const { run, view } = await stand();
    windowOf(run).go(PERIOD);
    frame();
    view.dispose();
    const second = await viewOf(run, feedOf());
    frame();
    expect(shown(run).span).toEqual(NEAR);
    windowOf(run).go(null);
    frame();
    second.dispose();
    const third = await viewOf(run, feedOf());
    frame();
    expect(third.shownAt).toBeNaN();
    expect(shown(run).chosen).toEqual([]);
    third.dispose();
  });
});
