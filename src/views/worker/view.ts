import { Press } from '../../base/dom/press';
import { refill } from '../../base/dom/refill';
import { element, setData, setHidden, setText } from '../../base/element';
import { formatDuration, formatExactCount } from '../../base/format';
import type { CssPixels, Milliseconds } from '../../base/units';
import { memoryBar } from '../../charts/bars/memory-parts';
import { isRecorded } from '../../feed/feed';
import type { TooltipLink } from '../../plot/plot';
import { oneLine } from '../../plot/text';
import type { Run } from '../../run/run';
import { ERROR, WARNING } from '../../run/logs/logs';
import { selectionOf } from '../../run/selection/selection';
import { isWholeKey } from '../../run/tables/running';
import {
  detailedWorker,
  eventsOf,
  linesOf,
  successorOf,
  runningOn,
  tasksOn,
  workerChoice,
  workerTitle
} from '../../selectors/workers/worker-details';
import { atEnd } from '../../selectors/run-end';
import { allWorkers, isGone, type WorkerRow, workerWord } from '../../selectors/workers/worker-rows';
import { identityFacts, memoryFacts, metricFacts, whyHalted, workFacts } from '../../selectors/workers/worker-words';
import { PacedView } from '../paced-view';
import { Summary } from '../summary';
import { bar, spark } from '../table/cell';
import type { ViewAction, ViewHost } from '../view';
import { linksOf } from './links';
import { EntryList, FactList } from './parts';
import { CallStacks } from './call-stacks';
import { HoldingsView } from './holdings-view';
import { runningFor } from '../../selectors/workers/running-count';
import { sinceStart } from '../../selectors/moments';

/** Tasks, events and log lines with a line of their own; other panes have all of them. */
const LISTED = 20;
/** Longest text of a line, in characters. */
const LONGEST = 400;

/**
 * All details of the worker that the pane's option `worker` names, else of the selected one, from what the run has, and what
 * {@link HoldingsView} asks the scheduler for.
 *
 * Guarantees:
 * 1. An element with a button stays the same while what it stands for does, and nothing changes while it is pressed.
 * 2. Actions are on the worker as it is now, whatever moment is shown; there are none on one that has gone.
 */
export class WorkerView extends PacedView {
  override readonly node = element('div', { class: 'dp-Task dp-Worker', role: 'region', attributes: { tabindex: '0' } });

  constructor(host: ViewHost) {
    super(host);
    const { trans } = host;
    this.tasks = new EntryList(trans.__('Running'));
    this.holdings = new HoldingsView(host, () => this.requestDraw());
    this.stacks = new CallStacks(host);
    this.events = new EntryList(trans.__('Newest events'));
    this.lines = new EntryList(trans.__('Newest log lines'));
    this.metrics = element('section', { class: 'dp-Task-section' }, element('h3', { text: trans.__('Own metrics') }));
    this.metrics.append(this.ownMetrics.node);
    this.head.append(this.name, this.status, this.why, this.successor);
    this.node.append(this.head, this.links, this.actions, this.load.node, this.work.node, this.identity.node);
    this.node.append(this.metrics, this.tasks.node, this.holdings.node, this.stacks.node, this.events.node, this.lines.node);
    this.press = this.own(new Press(this.node));
    selectionOf(host.run).changed.connect(this.requestDraw, this);
  }

  override resize(width: CssPixels): void {
    setData(this.node, 'narrow', String(width < 360 * this.fontScale));
  }

  override focus(): void {
    this.node.focus({ preventScroll: true });
  }

  protected override draw(now: Milliseconds): void {
    if (this.press.holds(() => this.requestDraw())) {
      return;
    }
    const { run } = this.shown;
    const row = detailedWorker(run, this.context());
    setHidden(this.node, row === null);
    if (row !== null) {
      this.write(run, row, now);
      this.summary.renew(() => `${workerTitle(run, row)}. ${whyHalted(row, run, this.host.trans)}`, now);
    }
  }

  private write(run: Run, row: WorkerRow, now: Milliseconds): void {
    const { trans } = this.host;
    const address = isGone(row) ? '' : (run.workerNames[row.id]?.address ?? '');
    this.writeHead(run, row);
    this.writeButtons(run, row);
    this.load.write(memoryFacts(row, trans), this.pictures(run, row));
    this.work.write(workFacts(row, trans));
    this.identity.write(identityFacts(row, run, trans));
    const metrics = metricFacts(row, run);
    this.ownMetrics.write(metrics);
    setHidden(this.metrics, metrics.length === 0);
    this.writeTasks(run, row);
    this.holdings.show(address, this.shown.paused, now);
    this.stacks.show(address);
    this.writeEvents(run, row);
    this.writeLines(run, row);
  }

  private writeHead(run: Run, row: WorkerRow): void {
    const { trans } = this.host;
    const { sign, word, tone } = workerWord(row, this.theme, trans);
    setText(this.name, workerTitle(run, row));
    setText(this.status, `${sign} ${isGone(row) ? word : atEnd(run, word, trans)}`);
    setData(this.status, 'tone', tone ?? 'plain');
    const why = whyHalted(row, run, trans);
    setText(this.why, why);
    setHidden(this.why, why === '');
    const next = successorOf(run, row);
    this.next = next === null ? '' : workerChoice(run, next.id);
    setText(this.successor, next === null ? '' : trans.__('Show the one that is there now: %1', next.address));
    setHidden(this.successor, next === null);
  }

  /** Buttons are made again only for another worker, or for other actions. */
  private writeButtons(run: Run, row: WorkerRow): void {
    const links = linksOf(run, row, isRecorded(this.host.feed) || this.host.feed === null, this.host.trans);
    this.put(this.links, links, () => links.map(link => this.link(link.label, () => this.follow(run, row, link))));
    const actions = this.actionsOn(row);
    this.put(this.actions, [row.id, actions], () => actions.map(action => this.actionButton(action)));
    setHidden(this.actions, actions.length === 0);
  }

  private put(place: HTMLElement, content: unknown, make: () => readonly HTMLElement[]): void {
    const print = JSON.stringify([this.shown.run.identity, content]);
    if (this.prints.get(place) !== print) {
      this.prints.set(place, print);
      refill(place, make());
    }
  }

  private actionsOn({ id }: WorkerRow): readonly ViewAction[] {
    const { run, feed, actions } = this.host;
    const now = run.identity === this.shown.run.identity ? allWorkers(run).find(each => each.id === id) : undefined;
    return now === undefined || isGone(now) || isRecorded(feed)
      ? []
      : (actions?.of({ kind: 'worker', address: run.workerNames[id]?.address ?? '', name: now.label }) ?? []);
  }

  private actionButton({ label, refusal, run }: ViewAction): HTMLElement {
    const button = this.button(label, () => refusal === '' && run());
    button.title = refusal;
    button.setAttribute('aria-disabled', String(refusal !== ''));
    return button;
  }

  private button(text: string, onClick: () => void): HTMLElement {
    return element('button', { class: 'dp-Button', text, onClick });
  }

  private link(text: string, onClick: () => void): HTMLElement {
    return element('button', { class: 'dp-Link', text, onClick });
  }

  /** Panes of tasks have no choice of a worker: they show what the run's selection selects. */
  private follow(run: Run, { id }: WorkerRow, { plot, args }: TooltipLink): void {
    if (Object.keys(args).length === 0) {
      selectionOf(run).select({ workers: [run.workerNames[id]?.address ?? ''] });
    }
    this.host.open(plot, args);
  }

  private pictures(run: Run, row: WorkerRow): Readonly<Record<string, Element>> {
    const whole = row.limit > 0 ? row.limit : (row.process || 0) + (row.spilled || 0);
    const { segments } = memoryBar(row, row.level, { ...this.context(), hidden: new Set() });
    const history = run.workers.cpuHistory(row.id);
    return {
      ...(history.length > 1 ? { cpu: spark(history, row.nthreads * 100) } : {}),
      ...(whole > 0
        ? { memory: bar(segments.map(({ size, fill, pattern }) => ({ share: size / whole, colour: fill, pattern }))) }
        : {})
    };
  }

  private writeTasks(run: Run, row: WorkerRow): void {
    const { trans, feed } = this.host;
    const all = tasksOn(run, row);
    const count = runningOn(run, row);
    // Details of a task ask the scheduler.
    const asks = feed !== null && !isRecorded(feed);
    const entries = all.slice(0, LISTED).map(({ id, start, key }) => ({
      id: `${run.identity} ${id} ${start}`,
      lead: formatDuration(runningFor(run, { start })),
      text: oneLine(key, LONGEST),
      ...(asks && key !== '' && isWholeKey(key) ? { open: () => this.host.open('task', { key }) } : {})
    }));
    const more = count - entries.length;
    this.tasks.write(
      entries,
      count > 0 ? atEnd(run, formatExactCount(count), trans) : '',
      more > 0
        ? trans.__('and %1 more', formatExactCount(more))
        : count > 0 || isGone(row)
          ? ''
          : run.has('running')
            ? trans.__('Nothing, as of its last heartbeat.')
            : trans.__('No running tasks are known.')
    );
  }

  private writeEvents(run: Run, row: WorkerRow): void {
    const events = eventsOf(run, row, LISTED);
    const seen = new Map<string, number>();
    const entries = events.map(({ time, action, text }) => {
      const base = `${time} ${action} ${text}`;
      const again = seen.get(base) ?? 0;
      seen.set(base, again + 1);
      return {
        id: `${base} ${again}`,
        lead: sinceStart(time, run, this.host.trans, 1),
        text: `${oneLine(action)} ${oneLine(text, LONGEST)}`
      };
    });
    this.events.write(entries, '', entries.length > 0 ? '' : this.host.trans.__('No events about this worker are known.'));
  }

  private writeLines(run: Run, row: WorkerRow): void {
    const entries = linesOf(run, row, LISTED).map(({ id, time, level, text }) => ({
      // Numbers begin again with another run.
      id: `${run.identity} ${id}`,
      lead: sinceStart(time, run, this.host.trans, 1),
      text: oneLine(text, LONGEST),
      ...(level >= ERROR ? { tone: 'bad' as const } : level >= WARNING ? { tone: 'warn' as const } : {})
    }));
    this.lines.write(entries, '', entries.length > 0 ? '' : this.host.trans.__('No log lines of this worker are known.'));
  }

  private readonly press: Press;
  /** The choice of the worker that {@link successor} leads to. */
  private next = '';
  private readonly prints = new Map<HTMLElement, string>();
  private readonly name = element('bdi', { class: 'dp-Task-key dp-Worker-name' });
  private readonly status = element('span', { class: 'dp-Worker-status' });
  private readonly why = element('p', { class: 'dp-Task-why' });
  private readonly successor = element('button', {
    class: 'dp-Link dp-Worker-next',
    onClick: () => this.host.open('worker', { worker: this.next })
  });
  private readonly head = element('div', { class: 'dp-Task-head' });
  private readonly links = element('div', { class: 'dp-Worker-links' });
  private readonly actions = element('div', { class: 'dp-Task-actions' });
  private readonly load = new FactList();
  private readonly work = new FactList();
  private readonly identity = new FactList();
  private readonly ownMetrics = new FactList();
  private readonly metrics: HTMLElement;
  private readonly tasks: EntryList;
  private readonly holdings: HoldingsView;
  private readonly stacks: CallStacks;
  private readonly events: EntryList;
  private readonly lines: EntryList;
  private readonly summary = new Summary(this.node);
}
