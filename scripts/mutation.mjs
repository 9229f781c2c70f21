// `npm run test:mutation`: changes pure code a little, in random places, and counts which changes no test notices.
//
//   --sample N      mutants of each room (100)
//   --seed S        which ones (1)
//   --room a,b      only these rooms; --only PATH: only sources whose path begins so
//   --tests TEXT    only TypeScript tests with this in their path
//   --minutes M     ends after this time; the next run goes on
//   --survivors     tries again those that survived
//   --list          runs nothing, prints the scores and the survivors; --write: also the tables of docs/mutation.md
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './lib/environment.mjs';
import { main } from './lib/process.mjs';
import { pointsOf } from './mutation/points.mjs';
import { python, tryPython } from './mutation/python.mjs';
import { Results } from './mutation/results.mjs';
import { ROOMS, filesOf } from './mutation/rooms.mjs';
import { equivalentTo, named, shuffled } from './mutation/sample.mjs';
import { scoreOf, survivors, table, writePage } from './mutation/table.mjs';
import { tryTypescript } from './mutation/typescript.mjs';

/**
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
    tests: { type: 'string', default: '' },
    minutes: { type: 'string', default: '100000' },
    survivors: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false }
  }
});

await main(async () => {
  const begin = performance.now();
  const after = (/** @type {number} */ share) => performance.now() > begin + share * Number(values.minutes) * 60_000;
  const enough = () => after(1);
  /** @type {import('./mutation/sample.mjs').Equivalent[]} */
  const equivalent = JSON.parse(readFileSync(join(ROOT, 'scripts/mutation/equivalent.json'), 'utf8'));
  const rooms = ROOMS.filter(({ name }) => values.room === undefined || values.room.split(',').includes(name));
  const engine = rooms.some(({ language }) => language === 'python') ? python() : null;
  try {
    /** @type {Plan[]} */
    const plans = [];
    for (const room of rooms) {
      const files = filesOf(room).filter(file => file.startsWith(values.only));
      const points =
        room.language === 'python' ? await engine?.ask({ list: files }) : files.flatMap(file => pointsOf(file).points);
      const possible = named(points);
      plans.push({ room, possible: possible.length, mutants: shuffled(possible, values.seed).slice(0, Number(values.sample)) });
    }
    const results = new Results();
    if (!values.list) {
      const due = (/** @type {string} */ language) =>
        inTurns(plans.filter(({ room }) => room.language === language)).filter(
          mutant => equivalentTo(equivalent, mutant) === undefined
        );
      await tryTypescript(due('typescript'), results, enough, values.survivors, values.tests);
      if (engine !== null) {
        const sources = ROOMS.filter(({ language }) => language === 'python').flatMap(filesOf);
        await tryPython(engine, due('python'), sources, results, enough, values.survivors, () => after(0.5));
      }
    }
    const scores = plans.map(plan => scoreOf(plan, results, equivalent));
    console.log(`\n${survivors(plans, results, equivalent)}\n\nseed ${values.seed}\n${table(scores)}`);
    if (values.write) {
      writePage(scores, values.seed, plans, results, equivalent);
    }
  } finally {
    await engine?.end();
  }
});

/**
 * The mutants of all rooms in turns, so that a run that ends early has tried as many in each.
 *
 * @param {readonly Plan[]} plans
 */
function inTurns(plans) {
  const most = Math.max(0, ...plans.map(({ mutants }) => mutants.length));
  return Array.from({ length: most }, (_, i) => i).flatMap(i =>
    plans.flatMap(({ mutants }) => (i < mutants.length ? [mutants[i]] : []))
  );
}
