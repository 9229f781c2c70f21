// `npm run test:mutation`: changes pure code a little, in random places, and counts which changes no test notices.
//
//   --sample N      mutants tried in each room (100)
//   --seed S        which ones (1)
//   --room a,b      only these rooms; --only PATH: only sources whose path begins so
//   --minutes M     ends after this time; the next run goes on
//   --survivors     tries again those that survived; --again: all
//   --list          runs nothing, prints the scores and the survivors; --write: also the tables of docs/mutation.md
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './lib/environment.mjs';
import { main } from './lib/process.mjs';
import { Coverage, FOLDER } from './mutation/coverage.mjs';
import { python, typescript } from './mutation/engines.mjs';
import { ROOMS, filesOf } from './mutation/rooms.mjs';
import { digestOf, equivalentTo, named, shuffled } from './mutation/sample.mjs';
import { scoreOf, survivors, table, writePage } from './mutation/table.mjs';

const STATE = join(FOLDER, 'results.json');
/** Seconds of tests, by their time without a mutation, after which a mutant counts as not noticed. */
const MOST = 30;

/**
 * @typedef {'noticed' | 'survived' | 'unreached'} Outcome
 *
 * @typedef {object} Result
 * @property {Outcome} outcome
 * @property {string} by
 * @property {string} tests - digest of the tests that were tried
 * @property {string} date
 *
 * @typedef {object} Plan - of one room
 * @property {import('./mutation/rooms.mjs').Room} room
 * @property {number} possible - all mutants of the room
 * @property {import('./mutation/sample.mjs').Mutant[]} mutants - of the sample
 */

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    room: { type: 'string' },
    only: { type: 'string', default: '' },
    minutes: { type: 'string', default: '100000' },
    survivors: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false }
  }
});

await main(async () => {
  const end = performance.now() + Number(values.minutes) * 60_000;
  const enough = () => performance.now() > end;
  const equivalent = JSON.parse(readFileSync(join(ROOT, 'scripts/mutation/equivalent.json'), 'utf8'));
  const rooms = ROOMS.filter(({ name }) => values.room === undefined || values.room.split(',').includes(name));
  const languages = ['typescript', 'python'].filter(language => rooms.some(room => room.language === language));
  const engines = new Map(languages.map(language => [language, language === 'python' ? python() : typescript()]));
  mkdirSync(FOLDER, { recursive: true });
  /** @type {Record<string, Result>} */
  const results = values.again ? {} : saved();
  try {
    /** @type {Plan[]} */
    const plans = [];
    for (const room of rooms) {
      const files = filesOf(room).filter(file => file.startsWith(values.only));
      const possible = named((await engines.get(room.language)?.points(files)) ?? []);
      plans.push({ room, possible: possible.length, mutants: shuffled(possible, values.seed).slice(0, Number(values.sample)) });
    }
    if (!values.list) {
      await tryAll(plans, engines, results, equivalent, enough);
    }
    const scores = plans.map(plan => scoreOf(plan, results, equivalent));
    console.log(`\n${survivors(plans, results, equivalent)}\n\nseed ${values.seed}\n${table(scores)}`);
    if (values.write) {
      writePage(scores, values.seed, plans, results, equivalent);
    }
  } finally {
    await Promise.all([...engines.values()].map(engine => engine.end()));
  }
});

/**
 * @param {readonly Plan[]} plans
 * @param {ReadonlyMap<string, import('./mutation/engines.mjs').Engine>} engines
 * @param {Record<string, Result>} results
 * @param {readonly import('./mutation/sample.mjs').Equivalent[]} equivalent
 * @param {() => boolean} enough
 */
async function tryAll(plans, engines, results, equivalent, enough) {
  /** @type {Map<string, Coverage>} */
  const coverages = new Map();
  for (const [language, engine] of engines) {
    const coverage = new Coverage(/** @type {'typescript' | 'python'} */ (language));
    const sources = ROOMS.filter(room => room.language === language).flatMap(filesOf);
    await coverage.measure(engine, sources, enough);
    coverages.set(language, coverage);
  }
  // In turns, so that a run that ends early has tried as many in each room.
  const most = Math.max(...plans.map(({ mutants }) => mutants.length));
  const turns = Array.from({ length: most }, (_, i) => i).flatMap(i =>
    plans.filter(({ mutants }) => i < mutants.length).map(({ room, mutants }) => ({ room, mutant: mutants[i], i }))
  );
  /** @type {Record<string, Record<string, number>>} */
  const noticed = {};
  for (const { room, mutant, i } of turns) {
    noticed[mutant.file] ??= {};
    const counts = noticed[mutant.file];
    const tests = coverages.get(room.language)?.testsOf(mutant, counts) ?? [];
    const tried = digestOf(
      JSON.stringify(tests.map(({ test }) => [test, digestOf(readFileSync(join(ROOT, fileOf(test)), 'utf8'))]).sort())
    );
    const old = results[mutant.id];
    const holds = old !== undefined && (old.outcome === 'noticed' || (old.tests === tried && !values.survivors));
    if (enough() || holds || equivalentTo(equivalent, mutant) !== undefined) {
      continue;
    }
    /** @type {typeof tests} */
    const few = [];
    for (let seconds = 0; few.length < tests.length && seconds < MOST; seconds += few.at(-1)?.seconds ?? 0) {
      few.push(tests[few.length]);
    }
    const engine = /** @type {import('./mutation/engines.mjs').Engine} */ (engines.get(room.language));
    const begin = performance.now();
    const verdict = tests.length === 0 ? { noticed: false, by: '' } : await engine.attempt(mutant, few);
    const test = few.find(({ test }) => verdict.by.startsWith(test))?.test;
    if (test !== undefined && verdict.noticed) {
      counts[test] = (counts[test] ?? 0) + 1;
    }
    const outcome = verdict.noticed ? 'noticed' : tests.length === 0 ? 'unreached' : 'survived';
    const by = verdict.noticed ? verdict.by : `${few.length} of ${tests.length} tests`;
    results[mutant.id] = { outcome, by, tests: tried, date: new Date().toISOString().slice(0, 10) };
    // Another run may be trying other rooms.
    writeFileSync(STATE, JSON.stringify({ ...saved(), [mutant.id]: results[mutant.id] }, null, 1));
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    console.log(
      `${room.name} ${i + 1} ${mutant.file}:${mutant.line} ${outcome} in ${seconds} s by ${by}\n    ${mutant.from}\n    ${mutant.to}`
    );
  }
}

/** @returns {Record<string, Result>} of all runs so far */
function saved() {
  return existsSync(STATE) ? JSON.parse(readFileSync(STATE, 'utf8')) : {};
}

/** @param {string} test - as vitest or pytest names it */
function fileOf(test) {
  return test.split('::')[0];
}
