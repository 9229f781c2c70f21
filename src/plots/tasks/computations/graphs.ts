/** The graphs of a computation below the list: of many, which was large or slow. */
import { formatBytes, formatCount, formatDuration, formatWallClock, UNKNOWN } from '../../../base/format';
import type { RowDetail, Translate } from '../../../plot/plot';
import type { Run } from '../../../run/run';
import type { Computation } from '../../../run/tables/computations';
import { graphsOf, type SubmittedGraphs } from '../../../selectors/computations/graphs';
import { codeWords } from '../../../selectors/tasks/computation-words';

type Format = (value: number) => string;

const known = (value: number, format: Format): string => (Number.isFinite(value) ? format(value) : UNKNOWN);

/** Of a computation of several graphs; the columns of the list have all of a single one. */
export function graphDetail(run: Run, computation: Computation, trans: Translate): RowDetail | null {
  const { submissions } = computation.values;
  if (!(submissions > 1)) {
    return null;
  }
  const answer = graphsOf(run, computation);
  const graphs = answer?.graphs ?? null;
  return {
    title: trans.__('Graphs of %1', codeWords(computation, trans)),
    facts: [
      [trans.__('Graphs'), formatCount(submissions)],
      ...(graphs !== null
        ? factsOf(graphs, submissions, trans)
        : answer !== null
          ? [[trans.__('Each of them'), trans.__('not known: %1', answer.reason || UNKNOWN)] as const]
          : [])
    ],
    text: graphs === null ? '' : listOf(graphs, trans),
    links: []
  };
}

function factsOf({ count, most, newest }: SubmittedGraphs, submissions: number, trans: Translate): RowDetail['facts'] {
  return [
    ...(count < submissions
      ? [[trans.__('Known'), trans.__('the newest %1 of %2', formatCount(count), formatCount(submissions))] as const]
      : []),
    ...(newest.length < count ? [[trans.__('Listed'), trans.__('the newest %1', formatCount(newest.length))] as const] : []),
    [trans.__('Most tasks in one'), known(most.tasks, formatCount)],
    [trans.__('Largest'), known(most.graph, formatBytes)],
    [trans.__('Longest packing'), known(most.packing, formatDuration)],
    [trans.__('Longest reading'), known(most.reading, formatDuration)]
  ];
}

/** A line for each, the newest first, in columns. */
function listOf({ newest }: SubmittedGraphs, trans: Translate): string {
  const heads = [trans.__('Read at'), trans.__('Tasks'), trans.__('Graph'), trans.__('Packing'), trans.__('Reading')];
  const lines = newest.map(({ time, tasks, graph, packing, reading }) => [
    known(time, formatWallClock),
    known(tasks, formatCount),
    known(graph, formatBytes),
    known(packing, formatDuration),
    known(reading, formatDuration)
  ]);
  const widths = heads.map((head, i) => Math.max(head.length, ...lines.map(line => line[i].length)));
  return [heads, ...lines].map(line => line.map((text, i) => text.padStart(widths[i])).join('  ')).join('\n');
}
