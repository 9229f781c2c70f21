import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/lib/environment.mjs';
import { mutate, pointsOf } from '../../../scripts/mutation/points.mjs';
import { ROOMS, filesOf } from '../../../scripts/mutation/rooms.mjs';
import { type Equivalent, equivalentTo, interval, named, shuffled } from '../../../scripts/mutation/sample.mjs';
import { withSwitches } from '../../../scripts/mutation/switches.mjs';

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

const { points, loops } = pointsOf('made.ts', SOURCE);

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

  it('are switched one by one, and noted when they are evaluated', () => {
    const numbered = points.map((point, number) => ({ ...point, number }));
    const run = (
      source: string,
      mutants: object
    ): { least: (values: readonly number[]) => number; twice: (value: number) => number } => {
      Reflect.set(globalThis, '__mutants', mutants);
      const script = source.replaceAll(/export |: readonly number\[\]|: number/g, '');
      const made = new Function(`${script}; return { least, twice };`)();
      Reflect.deleteProperty(globalThis, '__mutants');
      return made;
    };
    const evaluated = new Set<number>();
    let ticks = 0;
    const mutants = (on: number) => ({ is: (number: number) => evaluated.add(number) && number === on, tick: () => ticks++ });
    const switched = withSwitches(SOURCE, numbered, loops);
    const inputs = [[], [5], [1], [3, 2, 1], [1, 2, Number.NaN, -1], [Number.NaN]];
    const outcome = ({ least, twice }: ReturnType<typeof run>) => [...inputs.map(least), twice(5)];
    expect(outcome(run(switched, mutants(-1)))).toEqual(outcome(run(SOURCE, {})));
    expect(evaluated.size).toBe(points.length);
    expect(ticks).toBeGreaterThan(5);
    for (const { number, ...point } of numbered.filter(({ text, line }) => !(line === 4 && text === '>='))) {
      expect(outcome(run(switched, mutants(number))), point.to).toEqual(outcome(run(mutate(SOURCE, point), {})));
    }
    evaluated.clear();
    run(switched, mutants(-1)).twice(1);
    // What is evaluated while the module is loaded, and the function that was called.
    expect([...evaluated].map(number => points[number].line).sort((a, b) => a - b)).toEqual([1, 11, 11]);
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
