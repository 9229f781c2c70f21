import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../src/feed/frame';
import { Run } from '../../../src/run/run';

const frame = (feed: string, epoch: number, time: number): Frame => ({
  feed,
  epoch,
  seq: 0,
  time,
  cursor: {},
  names: {},
  topics: {}
});

describe('the clock of a run', () => {
  it('is that of the scheduler that answers now, not of the one that it replaced', () => {
    const run = new Run();
    for (let i = 0; i < 8; i++) {
      run.apply(frame('first', 0, 5000 + i), 1000 * i);
    }
    // Another machine, whose clock is 100 s behind.
    run.apply(frame('second', 0, 4908), 8000);
    expect(run.clock.latest).toBe(4908);
    expect(run.clock.at(9000)).toBe(4909);
  });

  it('goes on when the client restarts the cluster', () => {
    const run = new Run();
    run.apply(frame('first', 0, 5000), 0);
    // This frame was late.
    run.apply(frame('first', 1, 5001), 3000);
    expect(run.clock.at(4000)).toBe(5004);
  });

  it('stays where the user has put it in a recording', () => {
    const run = new Run();
    run.clock.stand(30);
    run.apply(frame('recording', 0, 10), 0);
    expect(run.clock.at(5000)).toBe(30);
  });
});
