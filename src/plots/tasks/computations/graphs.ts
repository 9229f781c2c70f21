/** The graphs of a computation below the list: of many, which was large or slow. */
import { formatBytes, formatCount, formatDuration, formatWallClock, UNKNOWN } from '../../../base/format';
import type { Seconds } from '../../../base/units';
import type { RowDetail, Translate } from '../../../plot/plot';
import type { Run } from '../../../run/run';
import type { Computation } from '../../../run/tables/computations';
import { graphsOf, type SubmittedGraph, type SubmittedGraphs } from '../../../selectors/computations/graphs';
import { codeWords } from '../../../selectors/tasks/computation-words';

/** Above this time between the oldest and the newest that is listed, seconds tell them apart. */
const SECONDS_SUFFICE: Seconds = 60;

/** A time of the user's wall clock: `10:42:07.3`. */
function clockWithTenths(time: Seconds): string {
  // A time that was read as 7.3 s may be stored as slightly less.
  const tenths = Math.floor(time * 10 + 1e-3);
  return `${formatWallClock(tenths / 10 + 0.05)}.${tenths % 10}`;
}

type Format = (value: number) => string;

const known = (value: number, format: Format): string => (Number.isFinite(value) ? format(value) : UNKNOWN);

/** The graphs of a computation; `null` for a single graph, about which the columns of the list say everything. */
export function graphDetail(run: Run, computation: Computation, trans: Translate): RowDetail | null {
  const { submissions } = computation.values;
  if (!(submissions > 1)) {
    return null;
  }
  const answer = graphsOf(run, computation);
  const graphs = answer?.graphs ?? null;
  return {
    title: trans.__('Graphs of %1', codeWords(run, computation, trans)),
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

function factsOf({ count, newest }: SubmittedGraphs, submissions: number, trans: Translate): RowDetail['facts'] {
  return [
    ...(count < submissions
      ? [[trans.__('Known'), trans.__('the newest %1 of %2', formatCount(count), formatCount(submissions))] as const]
      : []),
    ...(newest.length < count ? [[trans.__('Listed'), trans.__('the newest %1', formatCount(newest.length))] as const] : [])
  ];
}

/** In columns: the largest value of each of all graphs, then a line for each that is listed, the newest first. */
function listOf({ most, newest }: SubmittedGraphs, trans: Translate): string {
  const heads = [trans.__('Read at'), trans.__('Tasks'), trans.__('Graph'), trans.__('Packing'), trans.__('Reading')];
  const figures = ({ tasks, graph, packing, reading }: Omit<SubmittedGraph, 'time'>): readonly string[] => [
    known(tasks, formatCount),
    known(graph, formatBytes),
    known(packing, formatDuration),
    known(reading, formatDuration)
  ];
  const times = newest.map(({ time }) => time).filter(Number.isFinite);
  const clock = Math.max(...times) - Math.min(...times) < SECONDS_SUFFICE ? clockWithTenths : formatWallClock;
  const lines = [[trans.__('largest'), ...figures(most)], ...newest.map(graph => [known(graph.time, clock), ...figures(graph)])];
  const widths = heads.map((head, i) => Math.max(head.length, ...lines.map(line => line[i].length)));
  return [heads, ...lines].map(line => line.map((text, i) => text.padStart(widths[i])).join('  ')).join('\n');
}
