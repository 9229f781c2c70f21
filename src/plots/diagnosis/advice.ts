/** What holds the run back. */
import type { Advice } from '../../advice/advice';
import { foundAsOf } from '../../advice/headline/as-of';
import { wholePeriod } from '../../advice/period';
import { ADVICE_TOPICS, adviceOf, advicePace, askedPeriod } from '../../advice/shown';
import { confidenceWords, headlineOf, visibleVerdicts } from '../../advice/words';
import { formatDuration, formatPercent, UNKNOWN } from '../../base/format';
import type { Seconds } from '../../base/units';
import type { AdvicePlot, PlotContext } from '../../plot/plot';
import type { Cell } from '../../plot/table';
import type { Run } from '../../run/run';

function shownAdvice(run: Run, { trans }: PlotContext): Advice {
  return adviceOf(run, askedPeriod(run), trans);
}

/** Of a verdict without a cost, it is not known. */
function measured(cost: Seconds, value: number, format: (value: number) => string): Cell {
  return cost > 0 ? { text: format(value), value } : { text: UNKNOWN, value: Number.NaN };
}

/** Causes of lost time, in the order of {@link Advice.verdicts}. */
export const advice: AdvicePlot = {
  id: 'advice',
  icon: '<path d="M8 1a5 5 0 0 1 2.800 9.100V12H5.200v-1.900A5 5 0 0 1 8 1zM5.200 13h5.600v1.200H5.200z"/>',
  title: 'Advice',
  caption: 'what costs the time, how much, and what to do',
  group: 'diagnosis',
  synonyms: ['why slow', 'bottleneck', 'adviser', 'recommendations', 'slow', 'diagnosis', 'reasons', 'verdict'],
  howToRead:
    'Causes of lost time: the share of all thread time, the sentence with its figures, and what to do. No second is counted twice. ' +
    'The list begins with the highest cost, with two exceptions. What went wrong (tasks that end with an error, lost workers, tasks that fit no worker) ' +
    'comes before causes that cost less than 20 %, however little it costs; for lost workers, time without any worker counts, too. ' +
    'A worker that was lost because of its memory comes before what filled that. What costs next to nothing and is a danger comes last. ' +
    '"Show me" selects the evidence and opens the plot that proves it. A period that is selected in another plot is examined instead of the newest work. ' +
    'At the end are the causes that were checked and not found, and what is not known.',
  view: 'advice',
  topics: ADVICE_TOPICS,
  pace: advicePace,
  empty: (run, { trans }) =>
    wholePeriod(run) !== null
      ? null
      : {
          head: trans.__('No task has run.'),
          body: trans.__('Causes of lost time appear here a few seconds after the first tasks.'),
          awaited: true
        },
  titleLine: () => [],
  legend: () => [],
  notes: () => [],
  table: (run, context) => {
    const { trans, hidden } = context;
    return {
      columns: [
        { id: 'cause', label: trans.__('Cause'), align: 'left' },
        { id: 'share', label: trans.__('Share'), tooltip: trans.__('of wall time × threads'), align: 'right' },
        { id: 'cost', label: trans.__('Cost'), tooltip: trans.__('thread-seconds'), align: 'right' },
        { id: 'confidence', label: trans.__('Confidence'), align: 'left' },
        { id: 'sentence', label: trans.__('What was found'), align: 'left' },
        { id: 'remedy', label: trans.__('What to do'), align: 'left' }
      ],
      rows: visibleVerdicts(shownAdvice(run, context), hidden).map(verdict => ({
        id: verdict.cause,
        cells: [
          { text: verdict.title, value: verdict.title },
          measured(verdict.cost.seconds, verdict.cost.share, formatPercent),
          measured(verdict.cost.seconds, verdict.cost.seconds, formatDuration),
          { text: confidenceWords(verdict.confidence, trans), value: verdict.confidence },
          { text: verdict.sentence, value: verdict.sentence },
          { text: verdict.remedy, value: verdict.remedy }
        ]
      }))
    };
  },
  summary: (run, context) =>
    foundAsOf(run, null, headlineOf(shownAdvice(run, context), context.hidden, context.trans), context.trans)
};
