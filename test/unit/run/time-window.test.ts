import { describe, expect, it } from 'vitest';
import { frozen } from '../../../src/run/frozen';
import { Run } from '../../../src/run/run';
import { windowOf, type WindowChange } from '../../../src/run/time-window';

const PERIOD = { from: 10, to: 20 };
const OTHER = { from: 12, to: 14 };

function stand(): { window: ReturnType<typeof windowOf>; changes: (WindowChange | 'asked')[]; run: Run } {
  const run = new Run();
  const window = windowOf(run);
  const changes: (WindowChange | 'asked')[] = [];
  window.changed.connect((_, why) => changes.push(why));
  window.requested.connect(() => changes.push('asked'));
  return { run, window, changes };
}

describe('The common time of the views of a run', () => {
  it('without a timeline is where a chart wants to be, and there is none after the way back', () => {
    const { run, window, changes } = stand();
    expect([window.span, window.chosen, window.next]).toEqual([null, null, null]);
    window.go(PERIOD);
    expect([window.span, window.chosen, window.next]).toEqual([null, PERIOD, PERIOD]);
    expect(windowOf(frozen(run)).chosen).toBe(PERIOD);
    window.go(null);
    expect([window.chosen, window.next]).toEqual([null, null]);
    expect(changes).toEqual(['person', 'person']);
  });

  it('with a timeline changes when that has done what a chart asks for', () => {
    const { window, changes } = stand();
    const stream = {};
    window.show(stream, PERIOD, 'time');
    window.go(OTHER);
    expect([window.span, window.chosen, window.next]).toEqual([PERIOD, null, OTHER]);
    window.show(stream, { from: 12, to: 14.1 }, 'person', true);
    expect([window.chosen, window.next]).toEqual([
      { from: 12, to: 14.1 },
      { from: 12, to: 14.1 }
    ]);
    window.go(null);
    expect(window.next).toBeNull();
    window.show(stream, { from: 12, to: 14.1 }, 'person', false);
    expect(window.chosen).toBeNull();
    expect(changes).toEqual(['time', 'asked', 'person', 'asked', 'person']);
  });

  it('renews what is said of the time when a timeline goes back by itself', () => {
    const { window, run } = stand();
    const reasons: WindowChange[] = [];
    windowOf(run).changed.connect((_, why) => reasons.push(why));
    window.show(window, PERIOD, 'person', true);
    window.show(window, OTHER, 'time');
    window.show(window, PERIOD, 'time');
    expect(reasons).toEqual(['person', 'person', 'time']);
  });

  it('stays where the user has gone when the timeline is hidden, and not where it only followed', () => {
    const { window } = stand();
    const stream = {};
    window.show(stream, PERIOD, 'time');
    window.release(stream);
    expect([window.span, window.chosen]).toEqual([null, null]);
    window.show(stream, PERIOD, 'person', true);
    window.release(stream);
    expect([window.span, window.chosen]).toEqual([null, PERIOD]);
    window.go(OTHER);
    expect(window.chosen).toBe(OTHER);
  });

  it('ends with the run', () => {
    const { run, window, changes } = stand();
    window.go(PERIOD);
    run.apply({ feed: 'f', epoch: 1, seq: 0, time: 5, cursor: {}, names: {}, topics: {} }, 0);
    expect([window.chosen, window.wanted]).toEqual([null, null]);
    expect(changes).toEqual(['person', 'person']);
  });
});
