import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { keepResult, known, sourcesOf, workloads } from '../../bench/_advice-recordings.mjs';
import { lineOf, summary } from '../../bench/_advice-score.mjs';

type Outcome = Parameters<typeof lineOf>[1][number];

function outcome(
  variant: 'bad' | 'healthy',
  wall: number,
  costs: Readonly<Record<string, number>>,
  more: Partial<Outcome> = {}
): Outcome {
  const verdicts = Object.entries(costs).map(([cause, seconds]) => ({ cause, seconds, share: seconds / wall }));
  const cause = variant === 'bad' ? 'spilling' : '';
  return { variant, cause, also: [], wall, load: 1, verdicts, unknown: [], live: null, ...more };
}

const ended = (round: number, failed = '') => ({ name: 'spilling', round, failed });
const value = (lines: Parameters<typeof summary>[0], name: string) => summary(lines).find(([each]) => each === name);

describe('the score of the adviser', () => {
  it('compares a run with the twin of its own round', () => {
    const first = lineOf(ended(0), [outcome('bad', 10, { spilling: 6 }), outcome('healthy', 4, {})]);
    const second = lineOf(ended(1), [outcome('bad', 40, { spilling: 6 }), outcome('healthy', 16, {})]);
    expect(first).toMatchObject({ rank: 1, cost: 6, saved: 6, costRatio: 1 });
    expect(second).toMatchObject({ rank: 1, cost: 6, saved: 24, costRatio: 0.25 });
  });

  it('distinguishes what is also true from what is wrong', () => {
    const bad = outcome('bad', 10, { paused: 5, spilling: 3, gil: 1 }, { also: ['paused'] });
    const line = lineOf(ended(0), [bad, outcome('healthy', 4, { 'late-start': 1, gil: 1 }, { also: ['late-start'] })]);
    expect(line).toMatchObject({ rank: 2, also: ['paused'], wrong: ['gil'], alarms: ['gil'] });
    expect(value([line], 'precision')?.[1]).toBeCloseTo(2 / 3);
    expect(value([line], 'top1')).toMatchObject({ 1: 0, 4: { later: ['spilling 0'] } });
    expect(value([line], 'false_alarms_on_healthy')).toMatchObject({ 1: 1, 4: { on: ['spilling 0'] } });
  });

  it('counts a workload that failed apart, and names it', () => {
    const lines = [
      lineOf(ended(0), [outcome('bad', 10, { spilling: 6 }), outcome('healthy', 4, {})]),
      lineOf(ended(1, 'spilling bad: exit status 1'), [outcome('healthy', 4, {})])
    ];
    expect(value(lines, 'failed')).toMatchObject({ 1: 1, 4: { of: 2, which: ['spilling 1: spilling bad: exit status 1'] } });
    expect(value(lines, 'recall')).toMatchObject({ 1: 1, 4: { runs: 1, missed: [] } });
    expect(value(lines, 'false_alarms_on_healthy')).toMatchObject({ 1: 0, 4: { runs: 2 } });
  });

  it('does not compare costs where the remedy saves little, and counts a workload once for all its rounds', () => {
    const little = lineOf(ended(0), [outcome('bad', 10, { spilling: 6 }), outcome('healthy', 9, {})]);
    const rounds = [3, 6, 30].map((cost, round) =>
      lineOf(ended(round), [outcome('bad', 40, { spilling: cost }), outcome('healthy', 34 - 24 * (round > 0 ? 1 : 0), {})])
    );
    expect(little.costRatio).toBeNull();
    expect(value([little], 'cost_ratio')).toMatchObject({ 1: 0, 4: { workloads: 0 } });
    expect(rounds.map(({ costRatio }) => costRatio)).toEqual([null, 0.2, 1]);
    expect(value(rounds, 'cost_ratio')).toMatchObject({ 1: 1, 4: { workloads: 1, off: [] } });
  });

  it('says how long the slowest verdict took, and which were never reported while the work ran', () => {
    const lines = [0.5, 3, null].map((seconds, round) =>
      lineOf(ended(round), [outcome('bad', 10, { spilling: 6 }, { live: { seconds, since: seconds, causes: [] } })])
    );
    expect(value(lines, 'seconds_to_first_verdict')).toMatchObject({
      1: 3,
      3: 5,
      4: { median: 1.75, told: 2, never: ['spilling 2'] }
    });
    expect(lines[0].alarms).toBeNull();
  });

  it('names healthy runs for which a pane reported something only while they ran', () => {
    const live = { seconds: null, since: null, causes: ['skew', 'late-start'] };
    const twin = outcome('healthy', 4, {}, { also: ['late-start'], live });
    const line = lineOf(ended(2), [outcome('bad', 10, {}), twin]);
    expect(line).toMatchObject({ alarms: [], alarmsLive: ['skew'] });
    expect(value([line], 'false_alarms_on_healthy')).toMatchObject({ 1: 0, 4: { on: [], whileRunning: ['spilling 2'] } });
  });

  it('has rows where nothing ran', () => {
    expect(summary([]).map(([, number]) => number)).toEqual([0, 0, 1, 0, 0, 0, 0]);
  });
});

describe('the recordings of the adviser', () => {
  const folders: string[] = [];
  const folder = (): string => {
    folders.push(mkdtempSync(join(tmpdir(), 'dask-panes-advice-')));
    return folders[folders.length - 1];
  };
  afterEach(() => {
    for (const each of folders.splice(0)) {
      rmSync(each, { recursive: true });
    }
  });

  it('are kept until their sources change, not those that failed or have lost their file', () => {
    const place = folder();
    const run = {
      ...{ name: 'gil', variant: 'bad' as const, cause: 'gil', also: [], file: 'gil.bad.0.dask-run', frames: null },
      ...{ begin: 0, wall: 1, load: 1 }
    };
    const result = { name: 'gil', round: 0, digest: sourcesOf('gil'), date: '', runs: [run], failed: '' };
    expect(known('gil', 0, false, place)).toBeNull();
    keepResult(result, place);
    expect(known('gil', 0, false, place)).toBeNull();
    writeFileSync(join(place, run.file), '');
    expect(known('gil', 0, false, place)).toEqual(result);
    expect(known('gil', 1, false, place)).toBeNull();
    keepResult({ ...result, digest: 'of other sources' }, place);
    expect(known('gil', 0, false, place)).toBeNull();
    expect(known('gil', 0, true, place)).not.toBeNull();
    keepResult({ ...result, failed: 'exit status 1' }, place);
    expect(known('gil', 0, true, place)).toBeNull();
  });

  it('are of the workloads, each with a digest of its own', () => {
    expect(workloads()).toContain('gil');
    expect(new Set(workloads().map(sourcesOf)).size).toBe(workloads().length);
  });
});
