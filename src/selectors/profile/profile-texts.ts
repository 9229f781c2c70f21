/** Texts of the profile plots. */
import { formatCount, formatDuration, formatEstimate, formatPercent } from '../../base/format';
import type { ProfileFold, ProfileStore } from '../../run/logs/profile';
import type { Run } from '../../run/run';
import { readSelection } from '../../run/selection/saved-selection';
import type { Cell, EmptyText, LegendItem, PlotContext, TableData, TitlePart, Translate } from '../../plot/plot';
import { comparedLegend, comparedOf, comparedSummary, comparedTable, comparedTitle } from './compared-texts';
import { COLOURED, packageColour, packagesOf } from './profile-package';
import { foldOf } from './profile-folds';
import { filterOf, functionRows, sampledTime, selected } from './profile-rows';
import { tableRows } from '../../plot/table-rows';
import { oneLine } from '../../plot/text';

/** Packages with a smaller fraction of the samples are not in the legend. */
const LEAST_SHARE = 0.005;
/** Functions listed in the summary. */
const NAMED = 3;

/** The samples that the pane shows: filtered by its options and by the selected period. */
export function foldedProfile(store: ProfileStore, run: Run, context: PlotContext): ProfileFold {
  return foldOf(store, filterOf(store, run, context.options, readSelection(context.saved?.selection)));
}

/** Why there is nothing to draw, and how to get data; `null` if there is data. */
export function emptyText(store: ProfileStore, loops: boolean, { trans }: PlotContext): EmptyText | null {
  if (store.length > 0) {
    return null;
  }
  const { servers, off, python311, limited } = store.status;
  if (limited !== '') {
    return {
      head: trans.__('The workers refuse requests.'),
      body: trans.__('The profile is read from the workers themselves, and they refuse: %1', oneLine(limited))
    };
  }
  if (loops && python311 > 0 && python311 === servers) {
    return {
      head: trans.__('Event loops: not available on Python 3.11.'),
      body: trans.__(
        'Dask does not sample event loops on Python 3.11, which can lock up when it does. Every other version shows them.'
      )
    };
  }
  if (servers > 0 && off === servers) {
    return {
      head: trans.__('The profiler is switched off.'),
      body: trans.__('distributed.worker.profile.enabled is false on the workers.')
    };
  }
  return loops
    ? { head: trans.__('No samples.'), body: trans.__('Event loops are sampled once in a cycle.'), awaited: true }
    : {
        head: trans.__('No samples.'),
        body: trans.__('Workers sample each running task many times a second. Run something.'),
        awaited: true
      };
}

/** Number of samples, time and origin, with the intervals. */
export function titleLine(store: ProfileStore, run: Run, context: PlotContext): readonly TitlePart[] {
  const { trans } = context;
  if (store.length === 0) {
    return [];
  }
  const comparison = comparedOf(store, run, context);
  if (comparison?.folds) {
    return comparedTitle(comparison, trans);
  }
  const samples = foldedProfile(store, run, context).total[0];
  const { interval, cycle } = store.status;
  const parts: TitlePart[] = [{ text: trans._n('1 sample', '%2 samples', samples, formatCount(samples)), tone: 'strong' }];
  if (interval > 0 && samples > 0) {
    const time = sampledTime(store, samples);
    // An estimate has no less than a second.
    const estimate = time < 1 ? `≈ ${formatDuration(time)}` : formatEstimate(time);
    // A busy worker takes samples late.
    parts.push({ text: trans.__('%1 if one was taken every %2', estimate, formatDuration(interval)) });
  }
  parts.push(...selectedParts(store, run, context));
  const selection = readSelection(context.saved?.selection);
  const servers = filterOf(store, run, context.options, selection).workers ?? store.present('worker');
  if (servers.includes(0)) {
    parts.push({ text: trans.__('scheduler') });
  }
  const workers = servers.filter(number => number > 0).length;
  // Selected workers have been counted before.
  if (workers > 0 && (context.options.worker || selected(store, run, selection).workers === null)) {
    parts.push({ text: trans._n('1 worker', '%2 workers', workers, formatCount(workers)) });
  }
  if (interval > 0 && samples === 0) {
    parts.push({ text: trans.__('every %1', formatDuration(interval)) });
  }
  if (cycle > 0 && cycle !== interval) {
    parts.push({ text: trans.__('cycles of %1', formatDuration(cycle)) });
  }
  return parts;
}

/** What is selected of the samples. */
function selectedParts(store: ProfileStore, run: Run, { trans, saved, options }: PlotContext): readonly TitlePart[] {
  const { period, functions, workers } = selected(store, run, readSelection(saved?.selection));
  const parts: TitlePart[] = [];
  if (period !== null) {
    parts.push({ text: trans.__('%1 selected', formatDuration(period.to - period.from)) });
  }
  if (functions !== null && !options.prefix) {
    const [first] = functions;
    const count = functions.length;
    parts.push({ text: count === 1 ? trans.__('only %1', oneLine(first)) : trans.__('only %1 functions', formatCount(count)) });
  }
  if (workers !== null && !options.worker) {
    parts.push({ text: trans._n('only 1 worker', 'only %2 workers', workers.length, formatCount(workers.length)) });
  }
  return parts;
}

/** Packages with their colours. */
export function legend(store: ProfileStore, run: Run, context: PlotContext): readonly LegendItem[] {
  if (store.length === 0) {
    return [];
  }
  if (comparedOf(store, run, context)?.folds) {
    return comparedLegend(context);
  }
  const fold = foldedProfile(store, run, context);
  const packages = packagesOf(store);
  const sums = new Float64Array(packages.names.length);
  for (let stack = 1; stack < store.stacks; stack++) {
    const slot = packages.of(store.frameNumber(stack));
    if (slot >= 0 && slot < COLOURED && packages.of(store.frameNumber(store.parent(stack))) !== slot) {
      sums[slot] += fold.total[stack];
    }
  }
  return packages.names
    .slice(0, COLOURED)
    .map((label, slot) => ({ id: label, label, colour: packageColour(context.theme, slot), pattern: 'none' as const, slot }))
    .filter(({ slot }) => sums[slot] > LEAST_SHARE * fold.total[0]);
}

/** Functions with their own and total samples. */
export function table(store: ProfileStore, run: Run, context: PlotContext): TableData {
  const { trans } = context;
  const folds = comparedOf(store, run, context)?.folds;
  if (folds) {
    return comparedTable(store, folds, trans);
  }
  const fold = foldedProfile(store, run, context);
  const all = fold.total[0];
  const time = (samples: number): Cell => {
    const value = sampledTime(store, samples);
    return { text: formatDuration(value), value };
  };
  return {
    columns: [
      { id: 'function', label: trans.__('Function'), align: 'left' },
      { id: 'file', label: trans.__('File'), align: 'left' },
      { id: 'line', label: trans.__('Line'), tooltip: trans.__('Line of its definition'), align: 'right' },
      { id: 'own', label: trans.__('Own'), tooltip: trans.__('Samples in which it was the innermost function'), align: 'right' },
      { id: 'own-share', label: trans.__('Own %'), align: 'right' },
      {
        id: 'own-time',
        label: trans.__('Own time'),
        tooltip: trans.__('Samples times the interval: too little where samples were taken late, as on a busy machine'),
        align: 'right'
      },
      { id: 'total', label: trans.__('Total'), tooltip: trans.__('Samples of it and of all that it called'), align: 'right' },
      { id: 'total-share', label: trans.__('Total %'), align: 'right' },
      {
        id: 'total-time',
        label: trans.__('Total time'),
        tooltip: trans.__('Samples times the interval: too little where samples were taken late, as on a busy machine'),
        align: 'right'
      }
    ],
    rows: tableRows(functionRows(store, fold), ({ id, own, total }) => {
      const frame = store.frames[id];
      const name = frame === null ? trans.__('one of several callees') : oneLine(frame.name);
      const file = frame === null ? '' : oneLine(frame.file);
      return [
        { text: name, value: name },
        { text: file, value: file },
        { text: frame === null ? '' : String(frame.first), value: frame?.first ?? 0 },
        { text: formatCount(own), value: own },
        { text: formatPercent(own / all), value: own / all },
        time(own),
        { text: formatCount(total), value: total },
        { text: formatPercent(total / all), value: total / all },
        time(total)
      ];
    })
  };
}

/** The functions with the most own samples. */
export function summary(store: ProfileStore, run: Run, context: PlotContext, name: string): string {
  const { trans } = context;
  const comparison = comparedOf(store, run, context);
  if (comparison?.folds) {
    return comparedSummary(store, comparison.folds, name, comparison.name, trans);
  }
  const fold = foldedProfile(store, run, context);
  const all = fold.total[0];
  if (!(all > 0)) {
    return trans.__('%1: no samples.', name);
  }
  const top = functionRows(store, fold)
    .filter(row => store.frames[row.id] !== null && row.own > 0)
    .slice(0, NAMED)
    .map(row => `${label(store, row.id, trans)} ${formatPercent(row.own / all)}`);
  return trans.__(
    '%1: %2; most time in %3.',
    name,
    trans._n('1 sample', '%2 samples', all, formatCount(all)),
    top.join(', ') || trans.__('functions that cannot be distinguished')
  );
}

function label(store: ProfileStore, id: number, trans: Translate): string {
  return oneLine(store.frames[id]?.name ?? '') || trans.__('unknown');
}
