// `npm test`: every check, in stages; `npm test -- unit bridge` runs only those.
import { setup } from './setup.mjs';
import { Advice, main } from './lib/process.mjs';
import { BESIDE, STAGES } from './lib/stages.mjs';

/** @param {number} since - in milliseconds, of `performance.now()` */
const seconds = since => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** @typedef {import('./lib/stages.mjs').Outcome & { line: string }} Result */

/**
 * Run one stage; what it throws counts as a failure of this stage, and the others still run.
 *
 * @param {string} name
 * @param {boolean} beside - whether another stage writes meanwhile: then its output comes at once, in the end
 * @returns {Promise<Result>}
 */
async function stage(name, beside = false) {
  const head = `\n── ${name}`;
  if (!beside) {
    console.log(head);
  }
  const started = performance.now();
  /** @type {import('./lib/stages.mjs').Outcome} */
  let result = { passed: 0, failed: 1 };
  try {
    result = (await STAGES[name]?.(beside)) ?? result;
  } catch (error) {
    console.error(error instanceof Advice ? error.message : error);
  }
  if (beside) {
    console.log(`${head}\n${result.output ?? ''}`);
  }
  const skipped = result.skipped ? `, ${result.skipped} skipped` : '';
  return { ...result, line: `${name}: ${result.passed} passed, ${result.failed} failed${skipped} (${seconds(started)})` };
}

await main(async () => {
  const asked = process.argv.slice(2);
  const unknown = asked.filter(name => !(name in STAGES));
  if (unknown.length) {
    throw new Advice(`no stage ${unknown.join(', ')}: there are ${Object.keys(STAGES).join(', ')}`);
  }
  const started = performance.now();
  await setup();
  const names = Object.keys(STAGES).filter(name => asked.length === 0 || asked.includes(name));
  /** @type {Map<string, Promise<Result>>} */
  const begun = new Map();
  const results = [];
  for (const name of names) {
    const running = begun.get(name) ?? stage(name);
    const other = BESIDE[name];
    if (other !== undefined && names.includes(other)) {
      begun.set(other, stage(other, true));
    }
    results.push(await running);
  }
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  console.log(`\n${results.map(result => result.line).join('\n')}\nall: ${seconds(started)}`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
});
