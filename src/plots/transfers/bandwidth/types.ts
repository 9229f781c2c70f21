import { formatByteRate } from '../../../base/format';
import type { TypeRate } from '../../../run/tables/bandwidth';
import type { Run } from '../../../run/run';
import { barSpec } from '../../../charts/bars';
import { keepBySize } from '../../../selectors/kept-order';
import type { PlotContext, VegaPlot } from '../../../plot/plot';
import { tableRows } from '../../../plot/table-rows';
import { counted, oneLine } from '../../../plot/text';
import { rateBars, type RateRow } from './rate-bars';

function fastestFirst(run: Run): readonly TypeRate[] {
  return keepBySize(run, run.bandwidth.types, 'bandwidth-types', ({ rate }) => rate);
}

function rows(run: Run, { trans }: PlotContext): readonly RateRow[] {
  return fastestFirst(run).map(({ id, type, rate }) => ({
    id,
    label: oneLine(type),
    rate,
    pale: false,
    tooltip: [[trans("Dask's average, above 1 MB"), formatByteRate(rate)]]
  }));
}

const bars = rateBars('bandwidth-types', rows);

/** How fast results of each type travel. */
export const bandwidthTypes: VegaPlot = {
  id: 'bandwidth-types',
  title: 'Bandwidth by type',
  caption: 'how fast results of each type travel between workers',
  group: 'transfers',
  synonyms: ['network', 'serialization', 'typename', 'dataframe', 'array', 'pickle'],
  howToRead:
    'One bar for each type of result: Dask’s average of transfers above 1 MB that carried that type alone. A type that is much slower than the others costs time in ' +
    'being taken apart and put together: results of many small Python objects do, arrays and frames do not.',
  view: 'vega',
  topics: ['meta', 'bandwidth'],
  empty: (run, { trans }) =>
    run.bandwidth.types.length > 0
      ? null
      : {
          head: trans('No bandwidth by type yet.'),
          body: trans('It is measured in transfers of more than 1 MB between workers that carry one type of result.')
        },
  rowCount: run => run.bandwidth.types.length,
  ...bars,
  spec: (_run, { theme }) => barSpec(theme),
  specKey: () => 'bars',
  titleLine: (run, { trans }) => [
    { text: trans('%1 on average', formatByteRate(run.bandwidth.total)), tone: 'strong' },
    { text: counted(trans, run.bandwidth.types.length, '1 type', '%1 types') }
  ],
  legend: () => [],
  notes: () => [],
  table: (run, { trans }) => ({
    columns: [
      { id: 'type', label: trans('Type'), align: 'left' },
      { id: 'rate', label: trans("Dask's average"), tooltip: trans('of transfers above 1 MB'), align: 'right' }
    ],
    rows: tableRows(fastestFirst(run), ({ type, rate }) => [
      { text: oneLine(type), value: type },
      { text: formatByteRate(rate), value: rate }
    ])
  }),
  summary: (run, { trans }) => {
    const parts = fastestFirst(run).map(({ type, rate }) => `${oneLine(type)} ${formatByteRate(rate)}`);
    return `${[trans('Bandwidth by type'), ...parts].join(', ')}.`;
  }
};
