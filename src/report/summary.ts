/** The first page of a report: what ran, how long, on what, and the code that ran it. */
import { meansOf } from '../advice/points';
import { mapOf, textOf, textsOf } from '../base/untrusted';
import { catalogueText } from '../plot/translation';
import { element } from '../base/element';
import { formatBytes, formatCount, formatDuration, formatExactCount, formatPercent, UNKNOWN } from '../base/format';
import { sinceStartWords } from '../selectors/moments';
import { readTheme } from '../base/theme';
import { KIND, type Kind } from '../feed/schema';
import { swatchOf } from '../plot-frame/legend';
import { actionWord, isMeasured } from '../selectors/tasks/kind-words';
import type { Bytes, Seconds } from '../base/units';
import type { Plot, Translate } from '../plot/plot';
import { allWorkers, liveWorkers, total, type WorkerRow } from '../selectors/workers/worker-rows';
import type { Run } from '../run/run';
import { adviceLine } from './advice';
import type { ReportFacts } from './facts';
import type { Totals } from './totals';

/** Input of the summary. */
export interface SummaryInput {
  readonly facts: ReportFacts;
  /** Why the recording ends before the block does, else ''. Untrusted. */
  readonly why: string;
  readonly run: Run;
  readonly totals: Totals;
  /** What of the recording could not be read, in sentences. */
  readonly unread: readonly string[];
  /** Plots without data in the recording. */
  readonly absent: readonly Plot[];
  readonly trans: Translate;
  /** Show all advice; `null` if the report does not have it. */
  readonly advise: (() => void) | null;
  /** Show the errors of a function, or all of them without a name; `null` if the report does not have them. */
  readonly showErrors: ((name?: string) => void) | null;
}

/** Create the first page. */
export function summary(input: SummaryInput): HTMLElement {
  const { facts, why, trans } = input;
  const node = element('div', { class: 'dp-Report-summary' });
  if (facts.failure !== '') {
    const head = element('strong', { text: trans.__('The block ended with an exception: ') });
    node.append(element('p', { class: 'dp-Report-failure' }, head, facts.failure));
  }
  if (why !== '') {
    // Before the figures, which lack what is missing.
    const head = element('strong', { text: trans.__('This report is not of the whole block: ') });
    node.append(element('p', { class: 'dp-Report-failure' }, head, why));
  }
  const columns = element('div', { class: 'dp-Report-columns' }, functionTable(input), timeTable(input), clusterTable(input));
  node.append(adviceLine(input), figures(input), columns);
  if (facts.code !== '') {
    const code = element('pre', { attributes: { tabindex: '0' } }, element('code', { text: facts.code }));
    node.append(part(trans.__('Calling code'), code));
  }
  const sentences = missing(input);
  if (sentences.length > 0) {
    const list = element('ul', {}, ...sentences.map(text => element('li', { text })));
    node.append(part(trans.__('Not in this report'), list));
  }
  return node;
}

function part(title: string, ...content: readonly Node[]): HTMLElement {
  return element('section', { class: 'dp-Report-part' }, element('h2', { text: title }), ...content);
}

/** The most important figures, large. */
function figures(input: SummaryInput): HTMLElement {
  const { facts, run, totals, trans } = input;
  const live = liveWorkers(run);
  const all = allWorkers(run);
  const workers = live.length > 0 ? live : all;
  const some = workers.length < all.length;
  // Of workers that came one after the other, threads and memory were never there together.
  const inAll = !some && workers.length > mostAtOnce(run);
  const span = totals.lastEnd - totals.firstStart;
  const list: (readonly [id: string, label: string, value: string])[] = [
    // The recording is longer: it begins before and ends after them.
    Number.isNaN(facts.duration)
      ? ['duration', trans.__('First to last task'), formatDuration(span)]
      : ['duration', blockWords(facts.duration, run, trans), formatDuration(facts.duration)],
    // A task that was tried again has several.
    ['tasks', trans.__('Executions'), formatExactCount(totals.tasks)],
    ['erred', trans.__('Erred executions'), formatExactCount(totals.erred)],
    [
      'workers',
      some ? trans.__('Workers at the end') : inAll ? trans.__('Workers that came and left') : trans.__('Workers'),
      formatCount(workers.length)
    ],
    ...(inAll
      ? []
      : ([
          [
            'threads',
            some ? trans.__('Threads at the end') : trans.__('Threads'),
            formatCount(total(workers, worker => worker.nthreads))
          ],
          ['memory', some ? trans.__('Memory limit at the end') : trans.__('Memory limit'), limitText(workers, trans)]
        ] as const))
  ];
  const peak = peakMemory(run);
  if (peak !== null) {
    // What was saved of a scheduler has means; a block was recorded sample by sample.
    const least = Number.isNaN(facts.duration) && hasOldMeans(run);
    list.push(['peak', trans.__('Peak memory'), `${least ? '≥ ' : ''}${formatBytes(peak)}`]);
  }
  const content = (id: string, text: string): Node | string =>
    id === 'erred' && totals.erred > 0 ? toErrors(text, input) : text;
  const entries = list.map(([id, label, value]) =>
    element('div', { data: { figure: id } }, element('dt', { text: label }), element('dd', {}, content(id, value)))
  );
  return element('dl', { class: 'dp-Report-figures' }, ...entries);
}

/** A shorter time after a block is not noticed. */
const NOTEWORTHY: Seconds = 0.1;

/** What the duration of a block is; and until when it was recorded, where the clock of the report goes on for longer. */
function blockWords(duration: Seconds, run: Run, trans: Translate): string {
  const until = run.clock.latest;
  return until - run.origin > duration + NOTEWORTHY
    ? trans.__('Duration of the block, recorded until %1', sinceStartWords(until, run, trans, 1))
    : trans.__('Duration of the block');
}

/** A number of erred executions, which leads to their errors if the report has them. */
function toErrors(text: string, { showErrors }: SummaryInput, name?: string): Node | string {
  return showErrors === null ? text : element('button', { class: 'dp-Link', text, onClick: () => showErrors(name) });
}

/** The memory limit of all workers; some may have none. */
function limitText(workers: readonly WorkerRow[], trans: Translate): string {
  const memory = total(workers, worker => worker.limit);
  const without = workers.filter(worker => !(worker.limit > 0)).length;
  if (memory === 0) {
    return workers.length > 0 ? trans.__('no limit') : UNKNOWN;
  }
  return without === 0
    ? formatBytes(memory)
    : trans._n('%3, 1 worker without', '%3, %2 workers without', without, formatCount(without), formatBytes(memory));
}

/** The most workers at a sample, of which there is one a second; infinite if there is none. */
function mostAtOnce(run: Run): number {
  const most = run.series.greatest('workers');
  return most > 0 ? most : Number.POSITIVE_INFINITY;
}

/** The most that the processes of all workers took together at a sample, of which there is one a second; `null` if none. */
export function peakMemory(run: Run): Bytes | null {
  const most = run.series.greatest('process_sum');
  return Number.isFinite(most) ? most : null;
}

/** Age from which on the scheduler keeps only means of ten seconds. */
const MEANS_FROM: Seconds = 3600;

/** Whether some samples may be means, so that there may have been more at one of those that they are of. */
function hasOldMeans(run: Run): boolean {
  const { series } = run;
  const old = series.time(series.length - 1) - MEANS_FROM;
  return meansOf(run).some((mean, i) => mean && series.time(i) < old);
}

/** Functions that took most time, the largest first. */
const FUNCTIONS = 10;

function functionTable(input: SummaryInput): HTMLElement {
  const { run, totals, trans } = input;
  const all = [...totals.functions].sort(([, a], [, b]) => b.seconds - a.seconds);
  const row = ([prefix, { tasks, erred, seconds, longest }]: (typeof all)[number]): HTMLElement => {
    const name = run.prefixNames[prefix] ?? '';
    const failed = erred > 0 ? [', ', toErrors(trans.__('%1 erred', formatExactCount(erred)), input, name)] : [];
    return element(
      'tr',
      { data: { function: name } },
      element('th', { text: name || UNKNOWN, attributes: { scope: 'row' } }),
      element('td', {}, formatExactCount(tasks), ...failed),
      element('td', { text: formatDuration(seconds) }),
      element('td', { text: formatDuration(longest) })
    );
  };
  const heads = [trans.__('Function'), trans.__('Executions'), trans.__('Time, all threads'), trans.__('Longest task')];
  const table = grid(heads, all.slice(0, FUNCTIONS).map(row));
  const more = all.length - FUNCTIONS;
  const rest =
    more > 0 ? [element('p', { text: trans._n('and 1 more function', 'and %2 more functions', more, formatCount(more)) })] : [];
  return part(trans.__('Functions that took most time'), table, ...rest);
}

/** A table with a row of headings. */
function grid(heads: readonly string[], rows: readonly HTMLElement[]): HTMLElement {
  const cells = heads.map(text => element('th', { text, attributes: { scope: 'col' } }));
  return element(
    'table',
    { class: 'dp-Report-grid' },
    element('thead', {}, element('tr', {}, ...cells)),
    element('tbody', {}, ...rows)
  );
}

/** Seconds of each action, over all threads, with their fraction as a bar and a figure. */
function timeTable({ run, totals, trans }: SummaryInput): HTMLElement {
  const theme = readTheme(document.documentElement);
  const whole = KIND.reduce((sum, kind) => sum + totals.seconds[kind], 0);
  const row = (kind: Kind): HTMLElement => {
    const seconds = totals.seconds[kind];
    const share = whole > 0 ? seconds / whole : Number.NaN;
    const swatch = swatchOf(kind === 'compute' ? { colour: theme.worker.busy, pattern: 'none' } : theme.kind(kind));
    return element(
      'tr',
      { data: { action: kind, seconds: String(seconds) } },
      element('th', { attributes: { scope: 'row' } }, swatch, ` ${actionWord(run, kind, trans)}`),
      element('td', { text: formatDuration(seconds) }),
      element('td', { text: Number.isNaN(share) ? UNKNOWN : formatPercent(share) })
    );
  };
  const heads = [trans.__('Action'), trans.__('Time, all threads'), trans.__('Share of these actions')];
  const kinds = KIND.filter(kind => isMeasured(kind, totals.seconds[kind]));
  const note = element('p', { text: trans.__('Time in which threads did nothing is not in this table.') });
  return part(trans.__('Time by action'), grid(heads, kinds.map(row)), note);
}

function clusterTable({ facts, run, trans }: SummaryInput): HTMLElement {
  const { meta } = run;
  const rows: (readonly [string, string])[] = [[trans.__('Scheduler'), textOf(meta.address)], ...versionRows(facts, run, trans)];
  const entries = rows.map(([name, value]) =>
    element('tr', {}, element('th', { text: name, attributes: { scope: 'row' } }), element('td', { text: value || UNKNOWN }))
  );
  const table = element('table', { class: 'dp-Report-grid' }, element('tbody', {}, ...entries));
  const note = trans.__(
    'Of scheduler and workers, only the versions that Dask reports are recorded. They may have the other packages, too.'
  );
  const isPartial = facts.versions.length > 0 && !meta.local;
  return part(trans.__('Cluster and versions'), table, ...(isPartial ? [element('p', { text: note })] : []));
}

/** Versions by location; locations with the same version of a package share a row. */
function versionRows(facts: ReportFacts, run: Run, trans: Translate): (readonly [string, string])[] {
  const all = [...facts.versions];
  const { versions, python, worker_versions: workers } = run.meta;
  for (const [name, version] of Object.entries({ ...mapOf(versions), python })) {
    all.push({ where: trans.__('scheduler'), package: name, version: textOf(version) });
  }
  for (const [name, known] of Object.entries(mapOf(workers))) {
    all.push(...textsOf(known).map(version => ({ where: trans.__('workers'), package: name, version })));
  }
  for (const { version } of run.workerNames) {
    all.push({ where: trans.__('workers'), package: 'distributed', version: textOf(version) });
  }
  const packages = new Map<string, Map<string, Set<string>>>();
  for (const { package: name, version, where } of all.filter(each => each.version !== '')) {
    const known = packages.get(name) ?? new Map<string, Set<string>>();
    packages.set(name, known.set(version, (known.get(version) ?? new Set<string>()).add(where)));
  }
  return [...packages].flatMap(([name, known]) =>
    [...known].map(([version, where]) => [name, `${version} · ${[...where].join(', ')}`] as const)
  );
}

function missing({ facts, why, totals, unread, absent, trans }: SummaryInput): string[] {
  const sentences = [...facts.missing.filter(text => text !== why), ...unread];
  if (totals.lost > 0) {
    sentences.push(
      trans._n(
        '1 task that the scheduler no longer had.',
        '%2 tasks that the scheduler no longer had.',
        totals.lost,
        formatExactCount(totals.lost)
      )
    );
  }
  if (absent.length > 0) {
    sentences.push(trans.__('No data for: %1.', absent.map(plot => catalogueText(trans, plot.title)).join(', ')));
  }
  return sentences;
}
