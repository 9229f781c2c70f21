/** The commands of the terminal, as a function from arguments to what is printed. */
import { CAUSES, type Cause } from '../advice/advice';
import { advise } from '../advice/advise';
import { newestPeriod } from '../advice/period';
import { messageOf } from '../base/untrusted';
import { english } from '../plot/translation';
import { oneLine } from '../plot/text';
import { openRun } from '../report/open';
import { adviceJson, adviceText } from './advice-output';
import { infoOf, infoText } from './info';

/** What a command printed, and how the process ends. */
export interface Printed {
  /** Lines for the standard output. */
  readonly out: readonly string[];
  /** Lines for the standard error. */
  readonly err: readonly string[];
  /** 0; 1 if a cause of `--fail-on` was found; 2 if the command could not be carried out. */
  readonly status: 0 | 1 | 2;
}

/** Reads a file; its errors have a `code` as those of Node. */
export type ReadFile = (path: string) => Promise<Uint8Array>;

const USAGE: readonly string[] = [
  'Usage: dask-panes advise FILE [--json] [--fail-on CAUSE,CAUSE] [--newest]',
  '       dask-panes info FILE [--json]',
  '',
  'FILE is a recording: what dask_panes.record() wrote.',
  '',
  'advise   what costs the time of the threads, how much, and what to do',
  'info     what the recording contains',
  '',
  '--json     one JSON object instead of text',
  '--fail-on  exit status 1 if one of these causes is found; "any" means all of them',
  '--newest   only what ran after the last idle time of more than 10 s, as the pane shows it at first',
  '',
  `Causes: ${CAUSES.join(', ')}`,
  '',
  'Exit status: 0; 1 if a cause of --fail-on was found; 2 if the command could not be carried out.'
];

/** A mistake of the caller, as a sentence with what to do. */
class UsageError extends Error {}

interface Options {
  readonly command: 'advise' | 'info';
  readonly file: string;
  readonly json: boolean;
  readonly newest: boolean;
  readonly failOn: ReadonlySet<Cause>;
}

/**
 * Carry out a command.
 *
 * @param args - without the name of the program
 */
export async function printed(args: readonly string[], readFile: ReadFile): Promise<Printed> {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    return { out: USAGE, err: [], status: args.length === 0 ? 2 : 0 };
  }
  try {
    return await carriedOut(parse(args), readFile);
  } catch (error) {
    const hint = error instanceof UsageError ? ['dask-panes --help lists commands and options.'] : [];
    return { out: [], err: [`dask-panes: ${oneLine(messageOf(error), 500)}`, ...hint], status: 2 };
  }
}

function parse(args: readonly string[]): Options {
  let [json, newest] = [false, false];
  const failOn: string[] = [];
  const words: string[] = [];
  const causes = (text: string): string => {
    if (text.startsWith('-') || !text.split(',').some(name => name.trim() !== '')) {
      throw new UsageError('--fail-on needs the names of causes, such as --fail-on spilling,straggler.');
    }
    return text;
  };
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (arg === '--json') {
      json = true;
    } else if (arg === '--newest') {
      newest = true;
    } else if (arg === '--fail-on') {
      i += 1;
      failOn.push(causes(args[i] ?? ''));
    } else if (arg.startsWith('--fail-on=')) {
      failOn.push(causes(arg.slice('--fail-on='.length)));
    } else if (arg.startsWith('-')) {
      throw new UsageError(`There is no option ${arg}.`);
    } else {
      words.push(arg);
    }
  }
  const [command, file, more] = words;
  if (command !== 'advise' && command !== 'info') {
    throw new UsageError(`The command is ${command ?? 'missing'}; it must be advise or info.`);
  }
  if (file === undefined || more !== undefined) {
    throw new UsageError(`${command} needs one file.`);
  }
  if (command === 'info' && (failOn.length > 0 || newest)) {
    throw new UsageError('--fail-on and --newest are options of advise.');
  }
  return { command, file, json, newest, failOn: causesOf(failOn.join(',')) };
}

function causesOf(text: string): ReadonlySet<Cause> {
  const names = text
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '');
  if (names.includes('any')) {
    return new Set(CAUSES);
  }
  const known = new Set<string>(CAUSES);
  const wrong = names.filter(name => !known.has(name));
  if (wrong.length > 0) {
    throw new UsageError(`There is no cause ${wrong.join(', ')}. Causes: ${CAUSES.join(', ')}.`);
  }
  return new Set(names as Cause[]);
}

async function carriedOut({ command, file, json, newest, failOn }: Options, readFile: ReadFile): Promise<Printed> {
  const name = oneLine(file, 500);
  const bytes = await readFile(file).catch(error => {
    throw new Error(`${name} ${whyUnread(error)}`);
  });
  const recorded = await openRun(bytes).catch(error => {
    const why = messageOf(error);
    // What is one, but of another version, says itself what to do.
    throw new Error(`${name}: ${why}${why.startsWith('This is not') ? ' Give a file that dask_panes.record() wrote.' : ''}`);
  });
  const info = infoOf(recorded, bytes.length);
  const warnings = info.problems.map(problem => `dask-panes: ${name}: ${problem}`);
  if (command === 'info') {
    return { out: json ? [toJson({ file, ...info })] : infoText(name, info), err: warnings, status: 0 };
  }
  const { run, recording, feed } = recorded;
  const advice = advise(run, newest ? newestPeriod(run) : null, english);
  const whole = info.complete && recording.why === '' && recording.damaged === 0 && feed.problems.length === 0;
  if (advice.period === null && !whole) {
    throw new Error([`${name}: what ran could not be read.`, ...info.problems].join(' '));
  }
  const found = advice.verdicts.some(({ cause }) => failOn.has(cause));
  const unknown = advice.unknown.filter(({ cause }) => failOn.has(cause));
  return {
    out: json ? [toJson({ file, ...adviceJson(advice) })] : adviceText(name, advice),
    err: [...warnings, ...unknown.map(({ cause, why }) => `dask-panes: not known whether there is ${cause}: ${why}`)],
    status: found ? 1 : 0
  };
}

function whyUnread(error: unknown): string {
  switch (error instanceof Error && 'code' in error ? error.code : '') {
    case 'ENOENT':
      return 'does not exist. Is the path right?';
    case 'EISDIR':
      return 'is a folder. Name a file in it.';
    case 'EACCES':
    case 'EPERM':
      return 'may not be read by this user.';
    default:
      return `could not be read: ${messageOf(error)}`;
  }
}

/** JSON in which a terminal finds no control characters. */
function toJson(value: unknown): string {
  const text = JSON.stringify(value, (_, each: unknown) => (typeof each === 'number' && !Number.isFinite(each) ? null : each), 2);
  return text.replace(/[\u007f-\u009f]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
