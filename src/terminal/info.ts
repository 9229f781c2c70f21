/** What a recording contains. */
import { numberOf, textOf } from '../base/untrusted';
import { formatBytes, formatDuration, formatExactCount } from '../base/format';
import type { Bytes, Seconds } from '../base/units';
import { oneLine } from '../plot/text';
import type { Recorded } from '../report/open';
import { NOTHING_SELECTED } from '../run/selection/selection';
import { executionStatistics } from '../selectors/selection/statistics';
import { wrapped } from './wrapped';

/** Facts of a recording. Texts are on one line; NaN for what is not known. */
export interface Info {
  readonly bytes: Bytes;
  /** Name that its writer gave it. */
  readonly name: string;
  /** Of the package that wrote it. */
  readonly version: string;
  /** Wall clock at its beginning. */
  readonly created: Seconds;
  readonly cluster: string;
  readonly duration: Seconds;
  readonly tasks: number;
  /** Those that took longest. */
  readonly functions: readonly { readonly name: string; readonly tasks: number; readonly seconds: Seconds }[];
  /** How many more functions there are. */
  readonly moreFunctions: number;
  /** Workers of the block. */
  readonly workers: number;
  /** Whether its writer finished it. */
  readonly complete: boolean;
  /** What is missing in it, or could not be read, in sentences. */
  readonly problems: readonly string[];
}

/** Functions that are listed. */
const MOST_FUNCTIONS = 20;

/** Read the facts. */
export function infoOf({ recording, feed, run }: Recorded, bytes: Bytes): Info {
  const { info, start, end, complete, why, missing, damaged } = recording;
  const text = (name: string): string => oneLine(textOf(info[name]));
  const statistics = executionStatistics(run, NOTHING_SELECTED);
  const functions = statistics.functions
    .slice(0, MOST_FUNCTIONS)
    .map(({ name, count, total }) => ({ name: oneLine(name), tasks: count, seconds: total }));
  // A reason is a sentence, and is there only where a writer could still finish the file.
  const ended = complete ? oneLine(why) : 'It was not finished, or its end is damaged.';
  const older =
    statistics.earlier === null ? '' : `Functions are those of the newest ${formatExactCount(statistics.count)} tasks.`;
  const { lost } = run.tasks;
  const gone =
    lost > 0
      ? `${formatExactCount(lost)} ${lost === 1 ? 'task is' : 'tasks are'} missing: the scheduler no longer had ${lost === 1 ? 'it' : 'them'}.`
      : '';
  const unread = damaged > 0 ? `${formatBytes(damaged)} are cut off or damaged. What they held is left out.` : '';
  return {
    bytes,
    name: text('name'),
    version: text('version'),
    created: numberOf(info.created, Number.NaN),
    cluster: text('cluster'),
    duration: end - start,
    tasks: recording.tasks,
    functions,
    moreFunctions: statistics.functions.length - functions.length,
    // Workers that left before the block have names, too.
    workers: run.workers.ids.length,
    complete,
    problems: [
      ended,
      ...missing.map(each => oneLine(each)),
      ...[unread, gone, older],
      ...feed.problems.map(each => oneLine(each))
    ].filter(each => each !== '')
  };
}

/** Facts of a recording, as text for users. */
export function infoText(file: string, info: Info): readonly string[] {
  const { functions, moreFunctions: more } = info;
  // The clock of a writer may have said anything.
  const created = new Date(info.created * 1000);
  const facts: readonly (readonly [string, string])[] = [
    ['Size', formatBytes(info.bytes)],
    ['Name', info.name],
    ['Recorded', Number.isNaN(created.getTime()) ? '' : created.toISOString()],
    ['Written by', info.version === '' ? '' : `dask_panes ${info.version}`],
    ['Cluster', info.cluster],
    ['Duration', Number.isFinite(info.duration) ? formatDuration(info.duration) : ''],
    ['Workers', formatExactCount(info.workers)],
    ['Tasks', formatExactCount(info.tasks)]
  ];
  return [
    file,
    ...facts.filter(([, value]) => value !== '').map(([label, value]) => `  ${label.padEnd(12)}${value}`),
    ...(functions.length > 0 ? ['', '  Functions, longest first'] : []),
    ...functions.flatMap(({ name, tasks, seconds }) =>
      wrapped(`${name}: ${formatExactCount(tasks)} ${tasks === 1 ? 'task' : 'tasks'}, ${formatDuration(seconds)}`, '    ')
    ),
    ...(more > 0 ? [`    and ${formatExactCount(more)} more ${more === 1 ? 'function' : 'functions'}`] : [])
  ];
}
