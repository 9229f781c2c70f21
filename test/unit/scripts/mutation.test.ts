import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/lib/environment.mjs';
import { mutate, pointsOf, withProbes } from '../../../scripts/mutation/points.mjs';
import { ROOMS, filesOf } from '../../../scripts/mutation/rooms.mjs';
import { type Equivalent, equivalentTo, interval, named, shuffled } from '../../../scripts/mutation/sample.mjs';

const SOURCE = `const LIMIT = 3;
export function least(values: readonly number[]): number {
  let found = LIMIT;
  for (let i = 0; i < values.length; i++) {
    if (values[i] < found && !Number.isNaN(values[i])) {
      found = Math.min(found, values[i]);
    }
  }
  return found ?? 'none' + 'x';
}
export const twice = (value: number) => value * 2;
`;

const { points, probes } = pointsOf('made.ts', SOURCE);

describe('points of mutation', () => {
  it('are operators, bounds, conditions, numbers and statements', () => {
    const changes = points.map(point => `${point.line}: ${SOURCE.slice(point.start, point.end)} → ${point.text}`);
    expect(changes).toEqual([
      '1: 3 → 4',
      '4: i < values.length → false',
      '4: 0 → 1',
      '4: < → <=',
      '4: < → >=',
      '5: values[i] < found && !Number.isNaN(values[i]) → true',
      '5: values[i] < found && !Number.isNaN(values[i]) → false',
      '5: && → ||',
      '5: < → <=',
      '5: < → >=',
      '5: ! → ',
      '6: found = Math.min(found, values[i]); → ;',
      '6: min → max',
      "9: found ?? 'none' + 'x' → found",
      '11: * → /',
      '11: 2 → 3'
    ]);
    expect(mutate(SOURCE, points[3]).split('\n')[3].trim()).toBe(points[3].to);
  });

  it('have a probe that runs when their statement does', () => {
    const reached = (call: string): number[] => {
      Reflect.deleteProperty(globalThis, '__mutationHits');
      const script = withProbes('made.ts', SOURCE, probes).replaceAll(/export |: readonly number\[\]|: number/g, '');
      new Function(`${script}; ${call};`)();
      const hits = Reflect.get(globalThis, '__mutationHits')['made.ts'] as Uint8Array;
      Reflect.deleteProperty(globalThis, '__mutationHits');
      return points.filter(({ probe }) => probe >= 0 && hits[probe] === 1).map(({ line }) => line);
    };
    expect(new Set(reached('least([5])'))).toEqual(new Set([4, 5, 9]));
    expect(new Set(reached('least([1])'))).toEqual(new Set([4, 5, 6, 9]));
    expect(new Set(reached('twice(1)'))).toEqual(new Set([11]));
  });
});

describe('a sample', () => {
  const mutants = named([...points, ...points]);

  it('has the same mutants with the same seed, whatever lines were added above', () => {
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
    const moved = named(points.map(point => ({ ...point, line: point.line + 10, start: point.start + 99 })));
    const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);
    expect(ids(shuffled(moved, '1'))).toEqual(ids(shuffled(named(points), '1')));
    expect(ids(shuffled(moved, '2'))).not.toEqual(ids(shuffled(moved, '1')));
    expect(new Set(ids(shuffled(moved, '2')))).toEqual(new Set(ids(moved)));
  });

  it('says of a share what it says of all', () => {
    // As in tables of Wilson's interval.
    expect(interval(81, 263).map(bound => Math.round(bound * 1000))).toEqual([255, 366]);
    expect(interval(0, 10)[0]).toBe(0);
    expect(interval(10, 10)[1]).toBe(1);
    expect(interval(0, 0)).toEqual([0, 1]);
  });
});

describe('the list of equivalent mutants', () => {
  const list: Equivalent[] = JSON.parse(readFileSync(join(ROOT, 'scripts/mutation/equivalent.json'), 'utf8'));

  it('names mutants that exist, each once and with a reason', () => {
    const typescript = ROOMS.filter(({ language }) => language === 'typescript').flatMap(filesOf);
    for (const known of list) {
      expect(known.reason.length, known.from).toBeGreaterThan(10);
      const lines = readFileSync(join(ROOT, known.file), 'utf8').split('\n');
      expect(
        lines.some(line => line.trim() === known.from),
        `${known.file}: ${known.from}`
      ).toBe(true);
      if (typescript.includes(known.file)) {
        const possible = pointsOf(known.file).points;
        expect(
          possible.some(point => equivalentTo([known], point) !== undefined),
          `${known.file}: ${known.to}`
        ).toBe(true);
      }
    }
    expect(new Set(list.map(({ file, from, to }) => `${file}\n${from}\n${to}`)).size).toBe(list.length);
  });
});
