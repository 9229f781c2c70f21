import { describe, expect, it } from 'vitest';
import { asOf } from '../../../src/run/as-of';
import { Run } from '../../../src/run/run';

describe('the moment of a picture', () => {
  it('is that of the newest frame, or of the last answer where that is later', () => {
    const run = new Run();
    run.clock.observe(100, 5_000);
    expect(asOf(run, { status: 'silent', answered: 5_000, reason: '' })).toBe(100);
    expect(asOf(run, { status: 'disconnected', answered: 9_000, reason: '' })).toBe(104);
    expect(asOf(run, { status: 'silent', answered: 1_000, reason: '' })).toBe(100);
  });
});
