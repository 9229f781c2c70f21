import { formatByteRate, formatCount } from '../../../base/format';
import type { TypeRate } from '../../../run/tables/bandwidth';
import type { Run } from '../../../run/run';
import { keepBySize, type Keeping } from '../../../plot/kept';
import type { PlotContext, VegaPlot } from '../../../plot/plot';
import { tableRows } from '../../../plot/table-rows';
import { oneLine } from '../../../plot/text';
import { rangeTitle, ratePicture, type RateRow } from './rate-bars';

function fastestFirst(run: Run, context: Keeping): readonly TypeRate[] {
  return keepBySize(run, context, run.bandwidth.types, ({ rate }) => rate);
}

function rows(run: Run, context: PlotContext): readonly RateRow[] {
  return fastestFirst(run, context).map(({ id, type, rate }) => ({
    id,
    label: oneLine(type),
    rate,
    pale: false,
    tooltip: [[context.trans.__("Dask's average, above 1 MB"), formatByteRate(rate)]]
  }));
}

/** Transfer rates of results by type. */
export const bandwidthTypes: VegaPlot = {
  id: 'bandwidth-types',
  icon: '<path d="M1 2h9V.500L13.500 3 10 5.500V4H1zm0 5h5V5.500L9.500 8 6 10.500V9H1zm0 5h1.500v-1.500L6 13l-3.500 2.500V14H1z"/>',
  title: 'Bandwidth by type',
  caption: 'how fast results of each type travel between workers',
  group: 'transfers',
  synonyms: ['network', 'serialization', 'typename', 'dataframe', 'array', 'pickle'],
  howToRead:
    'One bar for each type of result: Dask’s average of transfers above 1 MB that carried that type alone. It is too high where several came between two heartbeats of a worker, because Dask adds up their rates; Bandwidth by workers has what was measured. A type that is much slower than the others is expensive to serialize: ' +
    'results with many small Python objects are, arrays and data frames are not.',
  view: 'vega',
  topics: ['meta', 'bandwidth'],
  empty: (run, { trans }) =>
    run.bandwidth.types.length > 0
      ? null
      : {
          head: trans.__('No bandwidth by type.'),
          body: trans.__('It is measured in transfers of more than 1 MB between workers that carry one type of result.'),
          awaited: true
        },
  picture: (run, context, size) => ratePicture(rows(run, context), run, context, size),
  titleLine: (run, { trans }) => [
    ...rangeTitle(
      run.bandwidth.types.map(({ rate }) => rate),
      trans
    ),
    { text: trans._n('1 type', '%2 types', run.bandwidth.types.length, formatCount(run.bandwidth.types.length)) }
  ],
  legend: () => [],
  notes: (run, { trans }) =>
    run.bandwidth.types.length > 0
      ? [trans.__('averages may be too high: Dask adds up the rates of transfers between two heartbeats')]
      : [],
  table: (run, { trans, ...context }) => ({
    columns: [
      { id: 'type', label: trans.__('Type'), align: 'left' },
      { id: 'rate', label: trans.__("Dask's average"), tooltip: trans.__('of transfers above 1 MB'), align: 'right' }
    ],
    rows: tableRows(fastestFirst(run, context), ({ type, rate }) => [
      { text: oneLine(type), value: type },
      { text: formatByteRate(rate), value: rate }
    ])
  }),
  summary: (run, { trans, ...context }) => {
    const parts = fastestFirst(run, context).map(({ type, rate }) => `${oneLine(type)} ${formatByteRate(rate)}`);
    return `${[trans.__('Bandwidth by type'), ...parts].join(', ')}.`;
  }
};
