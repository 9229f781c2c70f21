/** How many tasks each host has finished. */
import type { Json, PlotContext, Run, Translate, VegaPlot } from 'dask-panes';

interface Host {
  readonly name: string;
  readonly tasks: number;
}

/** Hosts with their finished tasks, the busiest first. A name comes from the cluster: it is only ever shown as text. */
function hosts(run: Run): readonly Host[] {
  const tasks = new Map<string, number>();
  for (const [lane, track] of run.tasks.lanes.entries()) {
    const [worker] = run.laneNames[lane] ?? [];
    const name = run.workerNames[worker ?? -1]?.host ?? '';
    if (track !== undefined && name !== '') {
      tasks.set(name, (tasks.get(name) ?? 0) + track.compute.length);
    }
  }
  return [...tasks].map(([name, count]) => ({ name, tasks: count })).sort((a, b) => b.tasks - a.tasks);
}

/** A picture of three bars, legible on light and dark. */
const EXAMPLE = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="84" fill="#5b86c9">
<path d="M8 12h220v16H8zm0 24h212v16H8zm0 24h108v16H8z"/></svg>`;

/** The spec: datasets are named, so that new data compiles nothing. */
function spec({ theme }: PlotContext, trans: Translate): Json {
  const axis = { labelColor: theme.text, titleColor: theme.text, gridColor: theme.grid, domain: false, ticks: false };
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    width: 100,
    height: 100,
    autosize: { type: 'fit', contains: 'padding' },
    background: 'transparent',
    config: { font: theme.fontFamily, view: { stroke: null } },
    data: { name: 'hosts' },
    mark: { type: 'bar', color: theme.worker.busy },
    encoding: {
      x: { field: 'tasks', type: 'quantitative', axis: { ...axis, title: trans.__('finished tasks') } },
      y: { field: 'name', type: 'nominal', sort: null, axis: { ...axis, title: null } }
    }
  };
}

/**
 * The plot.
 *
 * @param trans - translations of this extension: `PlotContext.trans` has those of Dask Panes
 */
export function tasksByHost(trans: Translate): VegaPlot {
  return {
    id: 'example.tasks-by-host',
    icon: '<path d="M1 2h12v3H1zm0 4.500h8v3H1zM1 11h4v3H1z"/>',
    title: trans.__('Tasks by host'),
    caption: trans.__('finished tasks of each host'),
    group: 'workers',
    synonyms: ['host', 'machine', 'node'],
    topics: ['meta', 'workers', 'tasks'],
    howToRead: trans.__(
      'One bar for each host: how many tasks its workers have finished. Hosts that differ much share the work badly.'
    ),
    // In "How to read this plot"; a URL of a file of the extension would do as well.
    example: {
      light: `data:image/svg+xml,${encodeURIComponent(EXAMPLE)}`,
      alt: trans.__('Three hosts, of which one has finished half as much as the others'),
      size: { width: 240, height: 84 }
    },
    view: 'vega',
    empty: run =>
      hosts(run).length > 0
        ? null
        : { head: trans.__('No task has finished yet.'), body: trans.__('Each host appears with its first task.') },
    picture: (run, context) => ({
      key: 'hosts',
      spec: () => spec(context, trans),
      draw: () => ({
        params: {},
        data: {
          hosts: hosts(run).map(({ name, tasks }) => ({
            name,
            tasks,
            tooltip: { title: name, rows: [[trans.__('Finished tasks'), String(tasks)]] }
          }))
        }
      })
    }),
    titleLine: run => [{ text: trans._n('%1 host', '%1 hosts', hosts(run).length), tone: 'strong' }],
    legend: () => [],
    notes: run => (run.tasks.dropped + run.tasks.lost > 0 ? [trans.__('only the newest tasks are counted')] : []),
    table: run => ({
      columns: [
        { id: 'host', label: trans.__('Host'), align: 'left' },
        { id: 'tasks', label: trans.__('Tasks'), align: 'right' }
      ],
      rows: hosts(run).map(({ name, tasks }) => ({
        id: name,
        cells: [
          { text: name, value: name },
          { text: String(tasks), value: tasks }
        ]
      }))
    }),
    summary: run =>
      hosts(run)
        .map(({ name, tasks }) => trans._n('%2: %1 finished task', '%2: %1 finished tasks', tasks, name))
        .join(', ')
  };
}
