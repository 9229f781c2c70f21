// The page of the adviser, from the texts of its rules.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/environment.mjs';

/**
 * Titles of the themes.
 *
 * @type {Readonly<Record<import('../../src/advice/advice').Theme, string>>}
 */
const TITLES = Object.freeze({
  scheduling: 'Scheduling',
  memory: 'Memory',
  transfer: 'Transfers',
  compute: 'Computing',
  client: 'The client'
});

const HEAD = `# What holds a run back

The adviser reads a run (live, recorded or in a report) and says what costs the time of its threads, how much, what shows it, and what to do. It looks at a
period: the whole run, a computation, or what is selected.

## Where it is shown

- **Pane "Advice"** (sidebar, group Diagnosis): all causes, with figures, remedy and Dask's documentation. It is about the period that is selected in another
  pane, else of the newest work: what ran since the last idle time of more than 10 s. It says which. Of a cause that mostly left no worker, the large figure is for how long, since no thread had that time. "Show me" selects the evidence and opens the plot that proves it.
  "Not helpful" hides a cause in this pane and in the lines about the same client; the end of the list brings it back. The choice is kept in the notebook's metadata
  (\`dask_panes\`, \`hidden_advice\`) and saved with the notebook; for a notebook that may not be written, and where none is open, with the pane.
- **A line** on the card of a Client, below the bars in the sidebar, in the document of a recording and on the first page of a report: the first cause
  of the list, or that nothing was found; where several clients use the scheduler, in what its own client computed last, or, if it has computed nothing, in what others did, with the name of their notebook; of a recording and a report in all of it, however long it was idle between. A line is only computed and its data only fetched while it is
  visible. It does not fetch histories of more than 200,000 tasks, logs
  or profiles for itself, and says nothing about work shorter than 2 s, while data are missing, or before two computations agree. Nor does it say, nor do marks, that the cluster
  waits for the client where that is uncertain because idle times between its rounds are irregular, as those of a stream: the pane does, and the line says only for how much of the time there was no work.
  While the work goes on, lines and pane say that figures are so far. Where a hidden cause would come first, a line says that it is hidden: another notebook may show it.
- **Marks** above the task stream and above plots over time: a bracket over the period of the evidence, with the cause and its share. A click is "Show me". They
  show what a pane, a line or a report has computed in the last 10 s, of a recording not at a later moment, compute and fetch nothing themselves, and go with a cause that is "not helpful".

Once its client has closed, and while the scheduler or the Jupyter server does not answer, all of them but marks say as of when advice is.

Advice is computed at most once a second, less often where that takes more than 20 ms.

## In scripts and CI

\`\`\`
python -m dask_panes advise run.dask-run
python -m dask_panes advise run.dask-run --json --fail-on spilling,failures
python -m dask_panes info run.dask-run
\`\`\`

The rules run in [Node.js](https://nodejs.org) 20 or later, which has to be in \`PATH\`; nothing else is needed, and nothing is fetched. The same program is the command
\`dask-panes\` of the npm package, in a checkout \`node scripts/program/dask-panes.cjs\` after \`npm run build\`. \`advise\` looks at the whole recording; \`--newest\` only at what ran after the last idle time of more than 10 s, as the pane does at first.
\`--json\` prints one object: \`file\`, \`headline\`, \`period\` (scheduler time; null if nothing ran), \`wall\`, \`threads\` (on average), \`threadSeconds\`, \`pauses\` (idle time between computations, which
counts for no cause; pauses of workers are not in it), \`workerless\` (a computation without any worker) and \`unanswered\` (the scheduler did not answer), in seconds of wall time, \`parts\`, \`verdicts\` (\`cause\`, \`theme\`, \`title\`, \`cost\`, \`confidence\`, \`doubt\`,
\`evidence\`, \`sentence\`, \`remedy\`, \`link\`), \`computedInVain\` (computing time in the costs), \`unrecordedInVain\` (what of this, at most, is attempts that failed or were lost, and cancelled tasks: Dask keeps no record of them), \`computedForOthers\` (computing time of others than a selected computation; what of it held that up is the cost of \`other-work\`), \`absent\` and \`unknown\` (\`cause\`, \`title\`; \`unknown\` also \`why\`), \`unexplained\` (a cost) and \`machineBusy\` (whether
other programs probably used the machine).
Times are in seconds, shares from 0 to 1, and what is not known is null. The texts are English.

The exit status is 0; 1 if a cause of \`--fail-on\` was found (\`any\`: all causes); 2 if the command could not be carried out, also without Node.js. If it is not
known whether there is such a cause, the standard error says so. Causes have the names that stand at the end of each section below.

## How costs are counted

Wall time × threads of the period is divided into parts; each moment of a thread is in exactly one: computing, running tasks, waiting for transfers, waiting for
disk, deserializing, and for threads that did nothing: the scheduler read a graph, nothing was submitted, nothing ran anywhere, others ran tasks that take much
longer than usual, others ran tasks and none was left, or the time between two tasks. Idle time of more than 10 s without a computation counts for no cause,
and neither does one of more than 1 s before the tasks of another cell, or of a callback of a notebook such as that of a slider: the user looked at a result. A thread that
an earlier cell has started looks like a callback. What the client does before it
packs the first graph and after the last task is not counted, either, except where it goes on taking results one after the other: Dask records when it had taken
them, not for how long, so that a single large result is not recognised.

Time in which the scheduler did not answer for 5 s or more, as while its process or its machine was stopped, is said by itself. Tasks that ran then count as computing;
threads that ran nothing count for no cause, and are not idle either: whether they had anything to do is not known. Where a computation was in progress and it is a tenth of the period, it is
a verdict of \`late-event-loops\`, without a cost.

A rule claims time of these parts, with when it was as far as that is known. Rules are asked in a fixed order, what is more certain first, and each second is given once:
a later rule gets what is left of its own seconds, and costs never add up to more than wall time × threads. Where a rule claims only some of the time of its seconds, a part of each is taken. A cause that costs less than 10 %, or less than 0.5 s of wall time, is not reported, except failures
and dangers, which are reported at any cost. What no rule explains is reported, too;
if it is much, also where most of it is: between two tasks, in times in which nothing had been submitted, how often and how long, or with workers that have tasks and do not start them.

- **Confidence**: high, medium or low, with the reason for doubt. A verdict on few tasks or samples says so.
- **A busy machine**: where event loops of the scheduler and of all workers are late (on average 40 ms and 27 ms or more between two ticks instead of 20 ms) and processes of Dask take less than half
  a core each, other programs probably use the machine. That is said beside what is not explained, and what costs time between tasks is only likely then. Of 252 recordings that rules were tested with, 32 were so,
  11 of the 60 in which a fifth or more was not explained among them. Tasks that compute while other programs take the cores cannot be distinguished from tasks that wait for something else: both use a CPU for a part of their time,
  which is said where nothing was found.
- **Not known**: where something is missing that a rule needs (a topic, an old recording), it says what; it never counts as "not found". Of time before the
  last hour, the scheduler keeps means of ten seconds: what lasts for moments (\`uneven-workers\`, \`event-loop-blocked\`, \`held-back\`, and \`gil\` and \`near-limit\` where one worker reached
  the threshold at some moment) and was not found in a period with a tenth or more of such time is not known, either. Nor are tasks that no worker could run until one came, or tasks that waited for tasks of
  their own, in a time before now; nor what events, logs or moves of tasks would show that are no longer kept.
- **Limits**: Dask measures no waiting for the GIL without gilknocker, nor that tasks take longer while their worker writes to disk,
  keeps no record of attempts that failed nor of which results a client takes, and samples CPU and memory once a second. Runs of a second or two say
  little. On a machine under other load, every run seems to wait.
- **Tasks that have seceded** (\`secede()\`, \`worker_client()\`) hold no thread. While one runs, its time is not counted. Dask's record of one that has ended does not
  say that it had seceded, so it counts as computing, but a worker never computes in more threads than it has. Where the profile shows that such tasks wait for others, threads to which no task was given meanwhile
  have too little to do (\`little-parallelism\`), by samples of every second. Else how many threads had a task by these samples is said beside it; with 65 % or less,
  it is not "nothing wrong". One that was cancelled after it had seceded counts as
  keeping a thread: a heartbeat does not distinguish it.
- **Time between tasks**: what a thread waits for between two tasks is not measured. \`between-tasks\` says what samples of every second suggest, with low confidence,
  and where they suggest nothing, that it is not known: the network between scheduler and workers, a plugin of a worker, or a busy machine look the same.
  Which tasks ask for resources is not recorded, either: \`held-back\` takes them for the most likely reason.
- **Work stealing**: Dask weighs a move by the size of the inputs. Where a result is larger than Dask takes it for, or slow to send, it moves too much: 60 tasks of
  50 ms on results that take 0.9 s to send took 31 s with work stealing and 3.2 s without it (2 workers of one thread, one run each on 2 cores with much else
  to do). With four workers, idle ones moved such tasks on among themselves: 71 moves for 80 tasks, which took 62 s, 84 % of it for the moves by the verdict. Not recognised: moves that workers refuse, of which each costs a message; and the opposite, results that Dask takes for larger than they are and therefore
  leaves where they are, which is reported as uneven work.
- **A selected computation** is examined from its submission to its end, by cards as by the pane; the last one of a run also while its client takes results or cancelled tasks still run. So is all that ran meanwhile. What the client took to build and optimise its graph before it packed it is not
  known. \`other-work\` says what others had of the threads. A result of another computation that it needs is other work, too.
- **Locks of Python**: waiting for a lock of \`threading\` or \`multiprocessing\`, or of a library, looks like work; only the share of the time on a CPU shows it. The profile cannot tell it apart:
  \`with lock:\` is a line of the user's function, of which Dask samples the function only, and what waits in \`threading.py\` or \`concurrent.futures\` may wait for threads that work for the task.
- **The same under other keys**: \`delayed(f)(x)\` has a new key each time unless it is \`pure=True\`. Whether its arguments were the same is not recorded, so that work that is
  repeated in this way is not recognised; only where different functions of Dask call the same function of the user, \`computed-again\` says that it may be. So are chunks of a collection that Dask
  fuses into the steps after them, as of \`x = x.map_blocks(f); x.sum().compute()\` in a loop. Where a function ran as often in several graphs under other keys, it is not known.
- **Results that are taken early**: \`as_completed(…, with_results=True)\` takes each result when it is there, so that a loop whose body is slow leaves nothing behind: the cluster does not wait
  for it. A client that only waits, as with \`wait()\`, leaves nothing, either: its rounds are known by
  idle times that are longer than all others, and among tasks of about a millisecond there are as long ones in each round. \`scatter(…, broadcast=True)\` before the first graph
  leaves nothing, too: Dask records when it was done, not for how long.
- **Long tasks first**: a client that first submits as many long tasks as there are threads, and no more, gets the verdict \`late-start\` with its doubt: first tasks that import or compile look the same.
- **Workers that do not answer** are known from their heartbeats, in recordings from 2026-11-27 on. A stop of less than 3.5 s may not be seen. Which worker it was is not recorded, nor how much longer its
  tasks took, so that the cost is a lower bound.
- **Calls of actors**: Dask keeps no record of them. Only tasks that wait for an actor show what it costs; a client that calls one after the other leaves nothing.
- **Times of tasks**: Dask corrects the clock of a worker by how long its heartbeat takes. Where the scheduler has not answered for seconds, tasks are late by up to half of that
  until the next heartbeat, so that threads seem to wait before them.
- **Pools of threads** (\`executor=\`) with fewer threads than their worker: their tasks wait in the worker, which \`between-tasks\` reports without a certain reason.
- **Work in real time**: where it comes at the beat of a clock, nothing waits for the client, however idle threads are. That takes 16 beats, and 64 where tasks overlap, so a
  shorter stream gets the verdict \`client-waits\`, and so does one without a beat: a client that is too slow looks the same, and the verdict says so; of rounds at about
  equal intervals, it does from 8 on. It is uncertain, so that cards and marks do not say it, for tasks that overlap from 16 beats on, and where the idle times of rounds or the times between tasks differ much and tasks do not begin as others end. In 300 simulated
  loops of a client that takes as long each time, 1 to 2 % of those of 16 to 20 rounds were taken for a clock, none of 40 rounds; up to 17 % of 20 rounds where tasks take
  exactly as long each time. Of 2,000 simulated loops of a client that takes now long and now short, 0.5 % at most. Threads that start late on a busy machine hide that a client drifts.
- **Tasks that a library makes**: Dask's \`map_overlap\` makes about ten tasks of less than a millisecond for each of its user's, and \`small-tasks\` reports what handing them out
  costs. On 128 blocks of 100 ms (4 threads, 2 cores, two runs each) it said 21 and 22 % of 5.3 s; with blocks four times as large, the same work took 4.4 s.

How often the rules are right is measured with \`npm run bench -- advice\`: it runs every workload of \`test/advice/workloads\` on a real cluster, once slow, with
its cause by construction, and once with the remedy applied. On 2026-11-23, one round on 2 cores without other work: of 29 slow workloads the cause was found in 28
and first in 28; 40 healthy runs had two verdicts that are no cause by construction. The reasons for these three have been fixed since: \`recompute\` was missed where its
four graphs came within a second and so count as one computation; memory of a shuffle was called growing; tasks of 11 ms were called too small in the twin of
\`large_chunks\`, which they were: its blocks have 32 MiB now. Each of the 32 verdicts on slow runs was the cause or something else that its workload names as true. The stated cost was 0.5 to 2
times what the remedy saved in 19 of the 22 that could be compared. Of oversized
chunks it is a lower bound: on a busy machine the same bytes took four times as long to compute in blocks of 96 MiB as in blocks of 9 MiB, which no run shows without its
twin. Some workloads had been used to mend rules before; each ran once. The two about work stealing came later: in three runs each, on a machine with
much else to do, \`stealing\` was found first each time, at 0.82 to 0.84 of what its twin saved, and \`well_stealing\`, with 53 to 56 moves, had no verdict.
Five more came on 2026-11-26, each recorded once or twice on 2 cores at a load of 3 to 8: \`resources\`, \`slow_sizeof\` and \`many_threads\` had their cause first, at 0.83, 0.54 and
0.52 of what their twins saved, and \`stealing_storm\` at 0.71; \`nearly_full\`, a danger without a cost, was found once its tasks had been made large enough; their twins had no verdict, after that of
\`many_threads\` had got as many tasks as fill all threads, and time between tasks counted from 3 s on (that of \`stealing_storm\` takes 1.5 s).
Two more were recorded once each on that day, at a load of 11 to 14: \`follow_ups\` had its cause first, at 1.29 of what its twin saved, which had no verdict; \`well_stream\` had
only that the scheduler answers late, as on a busy machine. \`locked\` was recorded once, at a load of 5: it had its cause first, at 0.89 of what its twin saved, which had no verdict.
\`blocked_beside\` was recorded once, on 2026-11-27 at a load of 3: it had its cause first, at 0.95 of what its twin saved, which had no verdict.
\`crowded\` was recorded once, on 2026-11-28 at a load of 15: in the time of the computation that waits, it had its cause first, at 0.94 of what its twin saved, which had no verdict.
\`persist_loop\` was recorded once on that day, at a load of 20: it had its cause first, at 1.21 of what its twin saved, which had no verdict.

Two rounds of all 41 workloads on 2026-11-23, on the same 2 cores under other load (4 to 17, median 8), with the recordings of one state of the sources except for
the workload \`blocked_loop\`, which was mended between the rounds:

| row | measured | goal |
|---|---|---|
| recall, top1 | 58 and 58 of 60 slow runs (0.967): \`gil\` was missed twice | 0.95, 0.9 |
| precision | 71 of 73 verdicts: in \`spilling\` and in \`transfers\`, once each, a verdict was no cause by construction | |
| false_alarms_on_healthy | 0 on 82 runs; while they ran, a pane reported something about two of them for a time | 0 |
| seconds_to_first_verdict | at most 4.1 s, median 0.4 s, in 56 runs; \`recompute\` and \`lost_worker\` were not reported while they ran, twice each | 5 s |
| cost_ratio | 20 of 25 workloads (0.8) within 0.5 to 2 | 0.8 |

\`lost-worker\` is counted for whole runs only, and each cluster had done a few tasks before; the profile without which \`recompute\` is not known came too late.
\`gil\` cannot be recognised there: its worker got half a core, like one that waits for storage. The costs that are off are those of memory, which the rules understate:
\`paused\` (0.02 of what the remedy saves), \`large_chunks\` (0.2) and \`spilling\` (0.49), and \`many_layers\` (0.3): the client builds the graph before the scheduler
knows of it. The remedy of \`failures\` (2.6) saves little time, since what failed is computed. Costs were not compared where the remedy saves less than 20 %
of the time, or none is stated: \`slow_import\` (its twin imports as long, in the measured time, too), \`kept_results\`, \`leak\` and \`lost_worker\`, which are dangers.
Seconds are counted from the scheduler's time of the first frame with which the rules find the cause, to a pane that computes at its own pace.
`;

/**
 * @param {import('../lib/catalogue.mjs').Catalogue} catalogue
 * @returns {string} the page
 */
export function advicePage({ rules, themes, english }) {
  const parts = themes.map(theme => {
    const found = rules.filter(rule => rule.theme === theme).sort((a, b) => (a.title(english) < b.title(english) ? -1 : 1));
    return [`## ${TITLES[theme]}`, ...found.map(rule => section(rule, english))].join('\n\n');
  });
  return `${[HEAD.trim(), ...parts].join('\n\n')}\n`;
}

/**
 * @param {import('../../src/advice/rule').Rule} rule
 * @param {import('../../src/plot/translation').Translate} english
 */
function section(rule, english) {
  const thresholds = rule.thresholds.map(({ value, unit, of, source }) => `- ${of}: ${amount(value, unit)} (${source})`);
  return [
    `### ${rule.title(english)}`,
    rule.recognised,
    `**What to do**: ${rule.remedy(english)} [More](${rule.link})`,
    ...(thresholds.length > 0 ? [thresholds.join('\n')] : []),
    ...picture(rule, english),
    `\`${rule.cause}\`; shown by \`test/advice/workloads/${rule.workload}\`; needs ${rule.needs.map(topic => `\`${topic}\``).join(', ')}.`
  ].join('\n\n');
}

/**
 * The picture of a cause with its proof, if `npm run test:pictures -- --write advice` has taken one.
 *
 * @param {import('../../src/advice/rule').Rule} rule
 * @param {import('../../src/plot/translation').Translate} english
 */
function picture(rule, english) {
  const path = `pictures/advice/${rule.cause}.png`;
  const alt = `The pane "Advice" with "${rule.title(english)}", and beside it the plot that proves it`;
  return existsSync(join(ROOT, 'docs', path)) ? [`![${alt}](${path})`] : [];
}

/**
 * @param {number} value
 * @param {string} unit
 */
function amount(value, unit) {
  switch (unit) {
    case 's':
      return value < 1 ? `${value * 1000} ms` : `${value} s`;
    case 'B':
      return value % 2 ** 20 === 0 ? `${value / 2 ** 20} MiB` : value >= 1e6 ? `${value / 1e6} MB` : `${value / 1000} kB`;
    case 'share':
      return `${Math.round(value * 100)} %`;
    default:
      return String(value);
  }
}
