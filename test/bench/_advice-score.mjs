// What `npm run bench -- advice` makes of verdicts: a line for each workload and round, and rows for all of them.

/** A stated cost is right between half and twice what the remedy saves; where that is less than this share, it is not compared. */
const [LEAST_RATIO, MOST_RATIO, LEAST_SAVED] = [0.5, 2, 0.2];
/** Seconds after the data within which a cause is reported. */
const LIVE_SECONDS = 5;

/**
 * One variant with what the rules say of it.
 *
 * @typedef {object} Judged
 * @property {'bad' | 'healthy'} variant
 * @property {string} cause
 * @property {readonly string[]} also
 * @property {number} wall
 * @property {number} load
 * @property {readonly { cause: string, seconds: number, share: number }[]} verdicts
 * @property {readonly string[]} unknown
 * @property {{ seconds: number | null, since: number | null, causes: readonly string[] } | null} live
 */

/**
 * @typedef {object} Line
 * @property {string} workload
 * @property {number} round
 * @property {string} cause - empty where there is only a healthy variant
 * @property {number} rank - of the cause among the verdicts, from 1; 0 if it is not among them, or there is none
 * @property {number | null} share - of wall time × threads
 * @property {number | null} cost - as stated, in seconds of wall time
 * @property {number | null} saved - by the remedy, in seconds of wall time
 * @property {number | null} costRatio - `null` where it is not compared
 * @property {readonly string[]} also - other verdicts that the workload names as true
 * @property {readonly string[]} wrong - other verdicts
 * @property {readonly string[] | null} alarms - verdicts on the healthy run; `null` if that is missing
 * @property {readonly string[]} alarmsLive - what a pane reported of the healthy run at any time while it ran
 * @property {boolean} unknown - the rule of the cause lacked data
 * @property {number | null} seconds - to the first verdict
 * @property {number | null} since - from the start to the first verdict
 * @property {boolean} ran - the slow variant ran to its end
 * @property {string} failed
 * @property {readonly number[]} load - after each variant
 */

/** @param {number} value */
const rounded = value => Number(value.toPrecision(3));

/**
 * The line of a workload in a round. A run is compared with its own round's twin.
 *
 * @param {{ name: string, round: number, failed: string }} ended
 * @param {readonly Judged[]} runs
 * @returns {Line}
 */
export function lineOf({ name, round, failed }, runs) {
  const bad = runs.find(({ variant }) => variant === 'bad');
  const twin = runs.find(({ variant }) => variant === 'healthy');
  const verdicts = bad?.verdicts ?? [];
  const found = verdicts.find(({ cause }) => cause === bad?.cause);
  const others = verdicts.filter(each => each !== found).map(({ cause }) => cause);
  const saved = bad && twin ? bad.wall - twin.wall : null;
  const compared = bad && found && found.seconds > 0 && saved !== null && saved > LEAST_SAVED * bad.wall;
  return {
    workload: name,
    round,
    cause: bad?.cause ?? '',
    rank: found ? verdicts.indexOf(found) + 1 : 0,
    share: found ? rounded(found.share) : null,
    cost: found ? rounded(found.seconds) : null,
    saved: saved === null ? null : rounded(saved),
    costRatio: compared ? rounded(found.seconds / saved) : null,
    also: others.filter(cause => bad?.also.includes(cause)),
    wrong: others.filter(cause => !bad?.also.includes(cause)),
    alarms: twin ? twin.verdicts.map(({ cause }) => cause).filter(cause => !twin.also.includes(cause)) : null,
    alarmsLive: (twin?.live?.causes ?? []).filter(cause => !twin?.also.includes(cause)),
    unknown: bad?.unknown.includes(bad.cause) ?? false,
    seconds: bad?.live?.seconds == null ? null : rounded(bad.live.seconds),
    since: bad?.live?.since == null ? null : rounded(bad.live.since),
    ran: bad !== undefined,
    failed,
    load: runs.map(({ load }) => load)
  };
}

/**
 * The rows of all lines.
 *
 * @param {readonly Line[]} lines
 * @returns {[name: string, value: number, unit: string, baseline: number | null, more: object][]}
 */
export function summary(lines) {
  const bad = lines.filter(({ ran }) => ran);
  const healthy = lines.flatMap(({ alarms }) => (alarms === null ? [] : [alarms]));
  const found = bad.filter(({ rank }) => rank > 0);
  const right = sum(bad.map(({ rank, also }) => Math.min(rank, 1) + also.length));
  const verdicts = right + sum(bad.map(({ wrong }) => wrong.length));
  const seconds = bad.flatMap(line => line.seconds ?? []);
  const ratios = [...byWorkload(bad)].flatMap(([workload, list]) => {
    const values = list.flatMap(({ costRatio }) => costRatio ?? []);
    return values.length > 0 ? [{ workload, ratio: rounded(median(values)) }] : [];
  });
  const apart = bad
    .filter(({ costRatio }) => costRatio === null)
    .map(({ workload, round, cost, saved }) => `${workload} ${round}: ${cost} s stated, ${saved} s saved`);
  const off = ratios.filter(({ ratio }) => ratio < LEAST_RATIO || ratio > MOST_RATIO);
  const failed = lines.filter(line => line.failed !== '');
  const loads = lines.flatMap(({ load }) => load);
  const [load, busiest] = [rounded(median(loads)), Math.max(0, ...loads)];
  const machine = { load, busiest };
  /** @param {readonly Line[]} list */
  const names = list => list.map(({ workload, round }) => `${workload} ${round}`);
  return [
    [
      'recall',
      share(found.length, bad.length),
      'share',
      0.95,
      { runs: bad.length, missed: names(bad.filter(line => !found.includes(line))), ...machine }
    ],
    [
      'top1',
      share(bad.filter(({ rank }) => rank === 1).length, bad.length),
      'share',
      0.9,
      { later: names(found.filter(({ rank }) => rank > 1)), ...machine }
    ],
    [
      'precision',
      verdicts > 0 ? right / verdicts : 1,
      'share',
      null,
      { verdicts, wrong: names(bad.filter(({ wrong }) => wrong.length > 0)), ...machine }
    ],
    [
      'false_alarms_on_healthy',
      sum(healthy.map(alarms => alarms.length)),
      'count',
      null,
      {
        runs: healthy.length,
        on: names(lines.filter(({ alarms }) => alarms !== null && alarms.length > 0)),
        whileRunning: names(lines.filter(({ alarmsLive }) => alarmsLive.length > 0)),
        ...machine
      }
    ],
    [
      'seconds_to_first_verdict',
      Math.max(0, ...seconds),
      's',
      LIVE_SECONDS,
      {
        median: rounded(median(seconds)),
        told: seconds.length,
        never: names(bad.filter(line => line.seconds === null)),
        ...machine
      }
    ],
    [
      'cost_ratio',
      share(ratios.length - off.length, ratios.length),
      'share within 0.5 to 2',
      0.8,
      { workloads: ratios.length, off: off.map(({ workload, ratio }) => `${workload} ${ratio}`), notCompared: apart, ...machine }
    ],
    [
      'failed',
      failed.length,
      'count',
      null,
      { of: lines.length, which: failed.map(({ workload, round, failed: why }) => `${workload} ${round}: ${why}`) }
    ]
  ];
}

/** @param {readonly Line[]} lines */
function byWorkload(lines) {
  /** @type {Map<string, Line[]>} */
  const lists = new Map();
  for (const line of lines) {
    lists.set(line.workload, [...(lists.get(line.workload) ?? []), line]);
  }
  return lists;
}

/** @param {readonly number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

/** A share of nothing is 0: nothing was shown. @param {number} part @param {number} all */
function share(part, all) {
  return all > 0 ? part / all : 0;
}

/** @param {readonly number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : sorted.length > 0 ? (sorted[middle - 1] + sorted[middle]) / 2 : 0;
}
