import { formatCount } from '../../base/format';
import type { SchedulerEvent } from '../../run/logs/events';
import type { Run } from '../../run/run';
import { selectionOf } from '../../run/selection/selection';
import { clockAt, sinceStart, sinceStartWords, startHint } from '../../selectors/moments';
import { isOutside } from '../../selectors/selection/picked';
import type { PlotContext, TablePlot, Translate } from '../../plot/plot';
import { tableRows } from '../../plot/table-rows';
import { oneLine } from '../../plot/text';

/** Longest event shown in a cell, in characters. */
const LONGEST = 1000;
/** Number of actions that the title and the summary list. */
const NAMED = 3;

interface NumberedEvent extends SchedulerEvent {
  /** Unchanged when older events are dropped. */
  readonly id: number;
}

/** Newest events first; a paused view excludes later ones. */
function newestFirst(run: Run): readonly NumberedEvent[] {
  const { list, lost } = run.events;
  return list
    .map((event, i): NumberedEvent => ({ ...event, id: lost + i }))
    .filter(event => !(event.time > run.clock.latest))
    .reverse();
}

function eventOf(run: Run, row: string): SchedulerEvent | undefined {
  return run.events.list[Number(row) - run.events.lost];
}

/** The most frequent actions as text: "add-worker 8". */
function frequent(events: readonly SchedulerEvent[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { action } of events) {
    counts.set(action, (counts.get(action) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, NAMED)
    .map(([action, count]) => `${oneLine(action)} ${formatCount(count)}`);
}

function countEvents(events: readonly SchedulerEvent[], trans: Translate): string {
  return trans._n('1 event', '%2 events', events.length, formatCount(events.length));
}

/** Events that the scheduler logs about itself, its workers and its clients. */
export const events: TablePlot = {
  id: 'events',
  icon: '<path d="M1 7.300h14v1.400H1z"/><circle cx="4" cy="8" r="2.200"/><circle cx="9" cy="8" r="2.200"/><path d="M12.500 3h1.400v10h-1.400z"/>',
  title: 'Events',
  caption: 'what the scheduler logs of workers, clients and itself',
  group: 'diagnosis',
  synonyms: ['log_event', 'add-worker', 'remove-worker', 'restart', 'topics', 'journal', 'history'],
  howToRead:
    'One row for each event, the newest first: workers and clients that join and leave, workers that pause (worker-status-change) or close ' +
    '(closing-worker has the reason), restarts, graphs that failed, and what code logs with log_event. ' +
    'Times are those of the scheduler. If a remove-worker event is unexpected, look at the events before it. Search finds a worker by its address; click a row to see all of its event.',
  view: 'table',
  topics: ['meta', 'events'],
  detail: (run, row, { trans }) => {
    const event = eventOf(run, row);
    return event === undefined
      ? null
      : {
          title: oneLine(event.action),
          facts: [
            [trans.__('Time'), `${sinceStartWords(event.time, run, trans)} · ${clockAt(event.time, run)}`],
            [trans.__('Topic'), oneLine(event.topic)]
          ],
          text: event.text,
          links: []
        };
  },
  leftOut: (run, row) => {
    const event = eventOf(run, row);
    return event !== undefined && isOutside(selectionOf(run).current, event.time);
  },
  empty: (run, { trans }) =>
    newestFirst(run).length > 0
      ? null
      : {
          head: trans.__('No events.'),
          body: trans.__('Workers and clients that join or leave, and logged events, appear here.'),
          awaited: true
        },
  titleLine: (run, { trans }) => {
    const all = newestFirst(run);
    return [{ text: countEvents(all, trans), tone: 'strong' }, ...frequent(all).map(text => ({ text }))];
  },
  legend: () => [],
  notes: (run, { trans }) =>
    run.events.lost > 0
      ? [trans._n('1 earlier event not kept', '%2 earlier events not kept', run.events.lost, formatCount(run.events.lost))]
      : [],
  table: (run: Run, { trans }: PlotContext) => ({
    columns: [
      { id: 'time', label: trans.__('Time'), tooltip: startHint(run, trans), align: 'right' },
      {
        id: 'clock',
        label: trans.__('Clock'),
        tooltip: trans.__("the scheduler's clock, in your time zone"),
        align: 'right',
        from: 480
      },
      { id: 'topic', label: trans.__('Topic'), align: 'left', from: 360 },
      { id: 'action', label: trans.__('Action'), align: 'left' },
      { id: 'text', label: trans.__('Event'), tooltip: trans.__('as the scheduler logged it'), align: 'left' }
    ],
    rows: tableRows(newestFirst(run), event => [
      { text: sinceStart(event.time, run, trans), value: event.time },
      { text: clockAt(event.time, run), value: event.time },
      { text: oneLine(event.topic), value: event.topic },
      { text: oneLine(event.action), value: event.action },
      { text: oneLine(event.text, LONGEST), value: event.text }
    ])
  }),
  summary: (run, { trans }) => {
    const all = newestFirst(run);
    const [last] = all;
    const head = [countEvents(all, trans), ...frequent(all)].join(', ');
    return last === undefined
      ? `${head}.`
      : trans.__('%1; the last was %2 at %3.', head, oneLine(last.action), sinceStartWords(last.time, run, trans));
  }
};
