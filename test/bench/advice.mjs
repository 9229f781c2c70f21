// How often the adviser is right. Runs every workload of `test/advice/workloads` on a real LocalCluster, slow and healthy,
// records it, and asks the rules about the recording.
//
// `npm run bench -- advice [--only NAME,NAME] [--rounds 3] [--again] [--keep]`. Each workload of a round is written to
// test-results/advice when it ends and is not run again while its sources are the same (`--keep`: nor when they are others;
// `--again`: run it anyway). Verdicts are always computed again, with the rules as they are. Rows:
//
// - workload: one for each workload and round: the rank of its cause among the verdicts (0: not found), its share, stated
//   cost and what the healthy twin of the same round saves (seconds of wall time), other verdicts, those on the twin.
// - recall: slow runs whose cause is among the verdicts. top1: among them first.
// - precision: verdicts on slow runs that are the cause, or another that the workload names as true (`ALSO`).
// - false_alarms_on_healthy: verdicts on healthy runs; whileRunning: where a pane reported something at any time.
// - seconds_to_first_verdict: the most (and the median) that a pane took to report the cause while the workload ran, from
//   the scheduler's time of the first frame with which the rules find it.
// - cost_ratio: share of the slow workloads whose stated cost is 0.5 to 2 times what the twin saves (median of rounds).
// - failed: workloads in rounds that did not run to their end.
// - advise_ms: CPU for a run of 1,000,000 tasks. live_share: of the main thread, for as many and for 100,000 tasks. Not
//   measured with `--only`.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { ROOT } from '../../scripts/lib/environment.mjs';
import { Advice, main } from '../../scripts/lib/process.mjs';
import { digest } from '../../scripts/lib/stamp.mjs';
import { FOLDER, known, recordWorkload, workloads } from './_advice-recordings.mjs';
import { lineOf, summary } from './_advice-score.mjs';

const TASKS = 1_000_000;
/** Tasks of the newest work on a busy cluster: more are examined less often than each second. */
const LIVE_TASKS = 100_000;
/** Computations of which the fastest counts: a pane computes again and again, and the engine goes on compiling in the first ones. */
const LIVE_TIMES = 12;
const BUNDLE = join(ROOT, 'test-results', 'advice-bench.mjs');

/** @param {string} name @param {number} value @param {string} unit @param {number | null} baseline @param {object} [more] */
function report(name, value, unit, baseline, more = {}) {
  const ratio = baseline ? Number((value / baseline).toFixed(3)) : null;
  console.log(JSON.stringify({ bench: 'advice', name, value: Number(value.toPrecision(4)), unit, baseline, ratio, ...more }));
}

/** @returns {Promise<typeof import('./_advice')>} */
async function rules() {
  const bundle = await rolldown({ input: join(ROOT, 'test', 'bench', '_advice.ts'), platform: 'node' });
  await bundle.write({ file: BUNDLE, format: 'esm', codeSplitting: false });
  await bundle.close();
  return import(pathToFileURL(BUNDLE).href);
}

/** @returns {{ names: readonly string[], rounds: number, again: boolean, keep: boolean, some: boolean }} */
function asked() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      rounds: { type: 'string' },
      again: { type: 'boolean' },
      keep: { type: 'boolean' }
    }
  });
  const { only, rounds = '3', again = false, keep = false } = values;
  const all = workloads();
  const names = only?.split(',').filter(Boolean) ?? all;
  const unknown = names.filter(name => !all.includes(name));
  if (unknown.length > 0 || names.length === 0) {
    throw new Advice(`no workload ${unknown.join(', ')}: there are ${all.join(', ')}`);
  }
  if (!/^[1-9]\d*$/.test(rounds)) {
    throw new Advice(`--rounds ${rounds}: how often each workload runs, from 1`);
  }
  return { names, rounds: Number(rounds), again, keep, some: only !== undefined };
}

await main(async () => {
  const { names, rounds, again, keep, some } = asked();
  const { live, load, speed, adviceOn, TOPICS } = await rules();
  const sources = digest([join('src', 'advice'), join('src', 'selectors'), join('src', 'run'), join('src', 'feed')]).slice(0, 12);
  const lines = [];
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const ended = (again ? null : known(name, round, keep)) ?? (await recordWorkload(name, round, TOPICS));
      const runs = [];
      for (const run of ended.runs) {
        const path = join(FOLDER, run.file);
        const seen = run.frames === null ? null : await live(join(FOLDER, run.frames), run);
        runs.push({ ...run, ...(await adviceOn(path, run.selected)), live: seen });
      }
      const line = lineOf(ended, runs);
      lines.push(line);
      const { rank, ...more } = line;
      report('workload', rank, 'rank', null, { ...more, date: ended.date });
    }
  }
  for (const [name, value, unit, baseline, more] of summary(lines)) {
    report(name, value, unit, baseline, { ...more, rules: sources });
  }
  if (!some) {
    const [fastest = Number.NaN] = speed(TASKS, 5).sort((a, b) => a - b);
    report('advise_ms', fastest, 'ms', 200, { tasks: TASKS });
    for (const tasks of [TASKS, LIVE_TASKS]) {
      const [settled = Number.NaN] = speed(tasks, LIVE_TIMES).sort((a, b) => a - b);
      report('live_share', load(settled), 'share of the main thread', 0.02, { tasks, ms: settled });
    }
  }
  return 0;
});
