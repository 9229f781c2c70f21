import { formatExactCount } from '../../../base/format';
import type { PlotContext, Subject, TableData } from '../../../plot/plot';
import { tableRows } from '../../../plot/table-rows';
import { oneLine } from '../../../plot/text';
import { type ClusterGraph, countLinks } from '../../../run/graph/graph-part';
import { neighboursOf } from '../../../run/graph/links';
import { stateOf } from '../../../run/graph/task-graph';
import type { Run } from '../../../run/run';
import { type Selection, selectionOf } from '../../../run/selection/selection';
import { withinSelected } from '../../../selectors/computations/selected';
import { functionSubject } from '../../../selectors/tasks/prefix-counts';
import { errorsOf } from '../../../selectors/errors/link';
import { STATE_ORDER, stateLook, stateWords } from '../../../selectors/tasks/task-states';
import { boxStates, clusterName, find, inState } from './found';

/** The tasks, or the boxes where they are drawn as boxes. */
export function table(run: Run, context: PlotContext): TableData {
  const { clusters } = find(run, context);
  return clusters === null ? taskTable(run, context) : clusterTable(run, clusters, context);
}

/** How ids of rows of boxes begin; those of tasks are their numbers. */
const CLUSTER = 'box ';

/** The function of a box. */
export function acts(run: Run, row: string): Subject | null {
  return row.startsWith(CLUSTER) ? functionSubject(run, Number(row.split(' ').at(-1))) : null;
}

/** The executions of a task, or those of its function, if none is known; `null` for a box. */
export function selects(run: Run, row: string): Partial<Selection> | null {
  if (row.startsWith(CLUSTER)) {
    return null;
  }
  const numbers = run.executed.rows(Number(row));
  const name = run.prefixNames[run.graph.prefix(Number(row))];
  const rows = { rows: { run: run.identity, numbers } };
  if (numbers.length > 0) {
    return withinSelected(run, rows) ?? rows;
  }
  return name === undefined ? null : withinSelected(run, { functions: [name] });
}

/** Whether a task is outside the selection. */
export function leftOut(run: Run, row: string): boolean {
  const { functions, rows } = selectionOf(run).current;
  if (row.startsWith(CLUSTER) || (functions === null && rows === null)) {
    return false;
  }
  const numbers = rows !== null && rows.run === run.identity ? rows.numbers : [];
  const others = functions !== null && !functions.includes(run.prefixNames[run.graph.prefix(Number(row))] ?? '');
  return others || (rows !== null && !numbers.some(number => run.executed.task(number) === Number(row)));
}

function taskTable(run: Run, context: PlotContext): TableData {
  const { trans } = context;
  const { graph } = run;
  const { numbers } = find(run, context).part();
  const count = (value: number): { text: string; value: number } => ({ text: formatExactCount(value), value });
  return {
    columns: [
      {
        id: 'number',
        label: trans.__('Number'),
        tooltip: trans.__('in the order in which tasks reached the scheduler'),
        align: 'right'
      },
      { id: 'function', label: trans.__('Function'), align: 'left' },
      { id: 'state', label: trans.__('State'), align: 'left' },
      { id: 'needs', label: trans.__('Needs'), tooltip: trans.__('dependencies'), align: 'right' },
      { id: 'neededBy', label: trans.__('Needed by'), tooltip: trans.__('dependents'), align: 'right' },
      { id: 'group', label: trans.__('Group'), align: 'left' }
    ],
    rows: tableRows(
      Array.from(numbers, id => ({ id, ...countLinks(graph, id) })),
      ({ id, needs, neededBy }) => {
        const name = oneLine(String(run.prefixNames[graph.prefix(id)] ?? ''));
        const group = oneLine(String(run.groupNames[graph.group(id)] ?? ''));
        const state = stateOf(graph.state(id));
        const alarming = state === 'erred' || state === 'no-worker';
        return [
          { text: formatExactCount(id), value: id },
          { text: name, value: name },
          {
            text: stateWords(state, trans),
            value: STATE_ORDER.indexOf(state),
            ...(alarming ? { tone: 'bad' as const } : {}),
            ...(state === 'erred' ? { opens: errorsOf(run, graph.prefix(id)) } : {})
          },
          count(needs),
          count(neededBy),
          { text: group, value: group }
        ];
      }
    )
  };
}

function clusterTable(run: Run, { by, clusters, links }: ClusterGraph, { theme, trans }: PlotContext): TableData {
  const names = (nodes: Uint32Array): string =>
    Array.from(nodes.slice().sort(), node => clusterName(run, clusters[node], by)).join(', ');
  return {
    columns: [
      { id: 'name', label: by === 'group' ? trans.__('Task group') : trans.__('Function'), align: 'left' },
      { id: 'tasks', label: trans.__('Tasks'), align: 'right' },
      ...STATE_ORDER.map(state => ({ id: state, label: stateWords(state, trans), align: 'right' as const })),
      { id: 'needs', label: trans.__('Needs'), align: 'left' }
    ],
    rows: clusters.map((cluster, node) => {
      const name = clusterName(run, cluster, by);
      const needs = names(neighboursOf(links.needs, node));
      return {
        // With its function, which a row alone does not tell.
        id: `${CLUSTER}${by} ${cluster.id} ${cluster.prefix}`,
        cells: [
          { text: name, value: name },
          {
            text: formatExactCount(cluster.count),
            value: cluster.count,
            bar: boxStates(cluster.states).map(({ state, count }) => ({
              share: count / cluster.count,
              ...stateLook(state, theme)
            }))
          },
          ...STATE_ORDER.map(state => {
            const count = inState(cluster.states, state);
            const opens = state === 'erred' && count > 0 ? { opens: errorsOf(run, cluster.prefix) } : {};
            return { text: formatExactCount(count), value: count, ...opens };
          }),
          { text: needs, value: needs }
        ]
      };
    })
  };
}
