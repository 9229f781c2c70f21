import { messageOf, numberOf, textOf } from '../../base/untrusted';
import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import { Press } from '../../base/dom/press';
import { refill } from '../../base/dom/refill';
import { element } from '../../base/element';
import type { Theme } from '../../base/theme';
import { ticker } from '../../base/ticker';
import type { Milliseconds, Seconds } from '../../base/units';
import { notifyLate } from '../../feed/feed';
import type { Scalar } from '../../feed/frame';
import { lateWords } from '../key-words';
import type { View, ViewHost } from '../view';
import { errorsLink } from '../../selectors/errors/link';
import { readCallStack, readFacts, type TaskFacts } from './facts';
import { leadsOf } from './leads';
import { whyWords } from './words';
import {
  actionsSection,
  callStackSection,
  codeSection,
  executionsSection,
  factsOf,
  failureSection,
  headOf,
  neighboursSection,
  type Pen
} from './sections';

/** Request interval for a task that the scheduler has. */
const PERIOD: Milliseconds = 1000;
/** And for one that it has forgotten: running a cell again submits the same keys. */
const FORGOTTEN_PERIOD: Milliseconds = 10_000;

/** Sections of the view in order; each is rebuilt only when its content has changed. */
const PARTS = ['head', 'actions', 'failure', 'facts', 'stack', 'needs', 'neededBy', 'executions', 'code'] as const;
type Part = (typeof PARTS)[number];

/** What swatches depend on. */
function coloursOf({ task, background }: Theme): string {
  return JSON.stringify([task, background]);
}

/** All details of one task, identified by the pane's `key` and `number`. Requests them while visible. */
export class TaskView implements View {
  constructor(private readonly host: ViewHost) {
    const { key, number } = host.saved;
    this.key = textOf(key);
    this.number = numberOf(number, -1);
    this.theme = host.context.theme;
    this.colours = coloursOf(this.theme);
    this.node.append(...this.places.values());
  }

  readonly node = element('div', { class: 'dp-Task', role: 'region', attributes: { tabindex: '0' } });

  get shownAt(): Seconds {
    return this.pausedAt ?? Number.NaN;
  }

  get pausedChanged(): ISignal<View, boolean> {
    return this.pausedSignal;
  }

  get failed(): ISignal<View, unknown> {
    return this.failedSignal;
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  update(): void {
    // It sends its own requests, independently of the run's changes.
  }

  resize(): void {
    // The browser lays it out.
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.colours = coloursOf(theme);
    this.draw();
  }

  setVisible(visible: boolean): void {
    this.ticking?.dispose();
    this.ticking = visible ? ticker.listen(() => this.tick()) : null;
    if (visible) {
      this.tick();
    }
  }

  setPaused(paused: boolean): void {
    this.pausedAt = paused ? (this.pausedAt ?? this.host.run.clock.latest) : null;
  }

  focus(): void {
    this.node.focus({ preventScroll: true });
  }

  dispose(): void {
    if (!this.disposed) {
      this.disposed = true;
      this.ticking?.dispose();
      this.press.dispose();
      Signal.clearData(this);
      this.node.remove();
    }
  }

  private tick(): void {
    if (this.host.run.hasEnded && !this.isOver) {
      this.isOver = true;
      this.draw();
    }
    const answered = this.facts !== null || this.fault !== '';
    // Nobody can answer any more: what was known stays.
    const period = this.isOver && answered ? Number.POSITIVE_INFINITY : this.forgotten ? FORGOTTEN_PERIOD : PERIOD;
    const named = this.key !== '' || this.number >= 0;
    if (named && this.pausedAt === null && performance.now() - this.askedAt >= period) {
      this.look();
    }
  }

  private get forgotten(): boolean {
    return this.facts !== null && !this.facts.known;
  }

  private look(): void {
    void this.ask().catch((error: unknown) => this.failedSignal.emit(error));
  }

  /** Request the task and show the answer. */
  private async ask(): Promise<void> {
    this.askedAt = performance.now();
    try {
      const facts = await notifyLate(this.askFacts(), () => this.wait());
      // What was known of a forgotten task stays.
      this.facts = this.forgotten && !facts.known ? this.facts : facts;
      // From now on it is this task, whatever has the number in another run.
      this.key = this.key || facts.key;
      this.fault = '';
    } catch (error) {
      this.fault = messageOf(error);
    }
    if (!this.disposed) {
      this.draw();
      this.lookAtStack();
    }
  }

  /** The scheduler has not answered for some seconds: what was known is not the present. */
  private wait(): void {
    if (!this.disposed) {
      this.fault = lateWords(this.host.trans);
      this.draw();
    }
  }

  /** The number may be from another run and mean another task: then the key decides. */
  private async askFacts(): Promise<TaskFacts> {
    const { key, number } = this;
    const byNumber = number < 0 ? null : readFacts(await this.request('task', { number }));
    const same = byNumber !== null && byNumber.key !== '' && (key === '' || byNumber.key === key);
    if (same || key === '') {
      return byNumber ?? readFacts({});
    }
    return readFacts(await this.request('task', { key }));
  }

  private request(name: string, args: Record<string, Scalar>): Promise<Scalar> {
    const { feed, trans } = this.host;
    return feed === null
      ? Promise.reject(new Error(trans.__('Details are available only while the client is connected.')))
      : feed.request(name, args);
  }

  /** The stack is requested by itself when the task comes to a worker, and when it runs there; otherwise by the user. */
  private lookAtStack(): void {
    const { facts } = this;
    const processing = facts?.state === 'processing';
    const place = processing ? `${facts.worker} ${Number.isNaN(facts.why.executing)}` : '';
    if (!processing) {
      this.stack = null;
    } else if (place !== this.stackOf) {
      void this.askStack(place);
    }
    this.stackOf = place;
  }

  private async askStack(place = this.stackOf): Promise<void> {
    let stack: ReturnType<typeof readCallStack> | string;
    try {
      stack = readCallStack(await this.request('callstack', { key: this.facts?.key ?? '' }));
    } catch (error) {
      stack = messageOf(error);
    }
    if (!this.disposed && place === this.stackOf) {
      this.stack = stack;
      this.stackAt = this.host.run.clock.at(performance.now());
      this.draw();
    }
  }

  private draw(): void {
    if (this.press.holds(() => this.draw())) {
      return;
    }
    const { facts, fault } = this;
    const { trans, run } = this.host;
    const pen: Pen = {
      theme: this.theme,
      trans,
      run,
      open: ({ key, number }) => this.host.open('task', { key, number }),
      errors: name => {
        const { plot, args } = errorsLink(name);
        this.host.open(plot, args);
      }
    };
    if (facts === null) {
      const text = fault === '' ? this.key : fault;
      this.put('head', text, () => element('p', { class: 'dp-Task-why', text }));
      for (const part of PARTS.slice(1)) {
        this.put(part, '', () => null);
      }
      return;
    }
    const { executions, code, dependencies, dependents } = facts;
    const running = facts.state === 'processing';
    this.put('head', [facts.key, facts.state, facts.lacking, whyWords(facts, run, trans), facts.known, fault, run.hasEnded], () =>
      headOf(facts, fault, pen)
    );
    const { key, state, known } = facts;
    const actions = [...leadsOf(facts, this.host), ...(known ? (this.host.actions?.of({ kind: 'task', key, state }) ?? []) : [])];
    this.put('actions', actions, () => actionsSection(actions));
    this.put('failure', [facts.exception, facts.traceback, facts.blamed, facts.prefix], () => failureSection(facts, pen));
    this.put('facts', { ...facts, why: 0, executions: 0, code: 0, dependencies: 0, dependents: 0 }, () => factsOf(facts, pen));
    const runs = !Number.isNaN(facts.why.executing);
    this.put('stack', running ? [this.stack, this.stackAt, runs] : '', () =>
      running && this.stack !== null ? callStackSection(this.stack, this.stackAt, runs, () => void this.askStack(), pen) : null
    );
    this.put('needs', dependencies, () => neighboursSection(trans.__('Needs'), dependencies, facts.dependencyCount, pen));
    this.put('neededBy', dependents, () => neighboursSection(trans.__('Needed by'), dependents, facts.dependentCount, pen));
    this.put('executions', executions, () => executionsSection(executions, pen));
    this.put('code', code, () => codeSection(code, pen));
  }

  /** Fill a section. Unchanged content is left alone, with its focus and selection. */
  private put(part: Part, content: unknown, make: () => HTMLElement | null): void {
    const print = JSON.stringify([content, this.colours]);
    if (this.prints.get(part) !== print) {
      this.prints.set(part, print);
      const [made, place] = [make(), this.places.get(part) as HTMLElement];
      const focused = place.contains(document.activeElement);
      refill(place, made === null ? [] : [made]);
      if (focused && !place.contains(document.activeElement)) {
        this.focus();
      }
    }
  }

  private readonly press = new Press(this.node);
  private readonly places = new Map<Part, HTMLElement>(PARTS.map(part => [part, element('div', { data: { part } })]));
  private readonly prints = new Map<Part, string>();
  private readonly pausedSignal = new Signal<View, boolean>(this);
  private readonly failedSignal = new Signal<View, unknown>(this);
  private theme: Theme;
  /** The colours of the theme: two dark themes may have others. */
  private colours: string;
  private ticking: IDisposable | null = null;
  /** Empty until the first answer if only the number was known. */
  private key: string;
  private readonly number: number;
  private facts: TaskFacts | null = null;
  private fault = '';
  /** `null` before the first answer; a text if the request failed. */
  private stack: ReturnType<typeof readCallStack> | string | null = null;
  /** Scheduler time at which it arrived. */
  private stackAt: Seconds = Number.NaN;
  /** The worker that the task was on when its stack was requested, and whether it ran there; empty if it was on none. */
  private stackOf = '';
  private askedAt: Milliseconds = Number.NEGATIVE_INFINITY;
  /** Scheduler time; `null` while it is not paused. */
  private pausedAt: Seconds | null = null;
  /** The run has ended. */
  private isOver = false;
  private disposed = false;
}
