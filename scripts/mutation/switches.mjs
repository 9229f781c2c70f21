// All mutants of a TypeScript source at once, each of which can be switched on while it runs.

/** @typedef {import('./points.mjs').Point & { number: number }} Numbered */

/**
 * The source with all its mutants, each switched off: `__mutants.on` is the number of the one that is on. A mutant that is
 * evaluated is noted, and loops that run on and on while one is on are ended.
 *
 * @param {string} source
 * @param {readonly Numbered[]} points
 * @param {readonly number[]} loops - offsets at which the bodies of loops begin
 * @returns {string}
 */
export function withSwitches(source, points, loops) {
  /** @type {Map<string, { start: number, end: number, statement: boolean, points: Numbered[] }>} */
  const nodes = new Map();
  for (const point of points) {
    const [start, end] = point.node ?? [point.start, point.end];
    const key = `${start} ${end} ${point.statement}`;
    const node = nodes.get(key) ?? { start, end, statement: point.statement === true, points: [] };
    node.points.push(point);
    nodes.set(key, node);
  }
  const ticks = loops.map(at => ({ start: at, end: at, statement: false, points: [] }));
  // Outer nodes first; a statement before the expression that is all of it.
  const sorted = [...nodes.values(), ...ticks].sort(
    (a, b) => a.start - b.start || b.end - a.end || Number(b.statement) - Number(a.statement)
  );
  let next = 0;
  const render = (/** @type {number} */ from, /** @type {number} */ to) => {
    let text = '';
    let at = from;
    while (next < sorted.length && sorted[next].end <= to) {
      const node = sorted[next];
      next += 1;
      text += source.slice(at, node.start);
      at = node.end;
      if (node.points.length === 0) {
        text += ' __mutants.tick();';
      } else {
        const inner = render(node.start, node.end);
        text += node.points.reduce(
          (rest, { number, start, end, text: mutated }) => {
            const whole = source.slice(node.start, start) + mutated + source.slice(end, node.end);
            return node.statement
              ? `if (!__mutants.is(${number})) { ${rest} }`
              : `(__mutants.is(${number}) ? (${whole}) : ${rest})`;
          },
          node.statement ? inner : `(${inner})`
        );
      }
    }
    return text + source.slice(at, to);
  };
  return `const __mutants = globalThis.__mutants; ${render(0, source.length)}`;
}
