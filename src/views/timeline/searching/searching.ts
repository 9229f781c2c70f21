import type { IDisposable } from '@lumino/disposable';
import { setHidden } from '../../../base/element';
import { messageOf } from '../../../base/untrusted';
import type { Milliseconds, Seconds } from '../../../base/units';
import type { Feed } from '../../../feed/feed';
import type { Translate } from '../../../plot/plot';
import { neighbour } from '../../../run/lanes/lane-search';
import { Matcher } from '../../../run/selection/matcher';
import type { Selection } from '../../../run/selection/selection';
import type { RunningTask } from '../../../run/tables/running';
import { asksRunning, conditionsOf, countedIn, isBlank, parseQuery, type SearchQuery } from '../../../selectors/search/query';
import { countSteps, type Hit, type Place, type Scope, stepAround } from '../../../selectors/search/scan';
import type { Picture } from '../picture';
import type { Target } from '../picking';
import { SearchBar } from './bar';
import { runningOf } from './found-running';
import { Keyed } from './keyed';
import { Marking } from './marking';
import { Sliced } from './sliced';
import { shownVersion, tasksVersion } from './versions';
import { hitWords, type Reached, searchWords } from './words';

/** What is found in a run that grows is counted again after this time. */
const AGAIN_AFTER: Milliseconds = 1000;

/** Callbacks of a search to the view. */
export interface SearchEvents {
  /** The search appeared or disappeared, or other functions are dimmed. */
  changed(): void;
  /** What is marked has changed. */
  moved(): void;
  /** Show a found task, and focus it. */
  reveal(target: Target): void;
  /** Show a time on a worker. */
  revealWorker(worker: number, from: Seconds, to: Seconds): void;
  /** Select what is found. */
  select(conditions: Partial<Selection>): void;
  /** Give the keyboard back to the picture. */
  focus(): void;
}

/**
 * The search of a timeline: by function, worker, state and duration, and by key, for which it asks the scheduler.
 *
 * Guarantees: what it counts and steps through is what the picture shows, without what was cleared; it computes in slices
 * of 4 ms. While tasks come, it counts again once a second at most.
 */
export class Searching implements IDisposable {
  constructor(
    private readonly picture: Picture,
    private readonly trans: Translate,
    feed: Feed | null,
    private readonly view: SearchEvents
  ) {
    this.keyed = new Keyed(feed, trans, () => this.onKeys());
    this.bar = new SearchBar(trans, {
      search: text => this.search(text),
      step: direction => this.step(direction),
      isolate: () => this.select(),
      highlight: () => this.markAgain(),
      close: () => this.close()
    });
    this.marking = new Marking(
      picture,
      () => view.moved(),
      error => this.fail(error)
    );
  }

  readonly bar: SearchBar;

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** Whether it dims what it does not find. */
  get dims(): boolean {
    return this.shows && this.bar.highlights && this.conditions !== null;
  }

  /** Functions that are found where all others are dimmed; `null` for all. */
  get functions(): readonly string[] | null {
    return this.dims ? (this.conditions?.functions ?? null) : null;
  }

  open(): void {
    setHidden(this.bar.node, false);
    this.view.changed();
    this.search(this.bar.text);
    this.bar.focus();
  }

  close(): void {
    setHidden(this.bar.node, true);
    this.keyed.stop(this.picture.shown.run);
    this.counting.stop();
    this.stepping.stop();
    this.marking.clear();
    this.view.changed();
    this.view.focus();
  }

  /** Draw what moves with the picture, and count what is out of date. */
  draw(now: Milliseconds): void {
    if (!this.shows) {
      this.marking.clear();
      return;
    }
    if (this.counted !== shownVersion(this.picture, this.query) && !this.counting.busy && now - this.countedAt > AGAIN_AFTER) {
      this.count(now);
    }
    const marked = this.dims && !asksRunning(this.query) ? this.conditions : null;
    this.marking.draw(marked, { functions: null }, this.counted);
  }

  dispose(): void {
    this.disposed = true;
    this.keyed.stop(this.picture.shown.run);
    this.counting.stop();
    this.stepping.stop();
    this.marking.dispose();
  }

  private get shows(): boolean {
    return !this.bar.node.hidden && !isBlank(this.query);
  }

  private search(text: string): void {
    this.query = parseQuery(text);
    this.place = null;
    this.reached = null;
    this.stepping.stop();
    this.marking.clear();
    this.count(performance.now());
    this.view.changed();
  }

  private count(now: Milliseconds): void {
    this.counted = shownVersion(this.picture, this.query);
    this.countedAt = now;
    const { run } = this.picture.shown;
    const rows = this.keyed.seek(run, this.query);
    const counted = countedIn(run, this.query);
    this.conditions = isBlank(this.query) || counted !== null ? null : conditionsOf(run, this.query, rows);
    if (this.conditions === null || asksRunning(this.query)) {
      this.counting.stop();
      this.found = counted ?? this.running.length;
      this.showResult();
    } else {
      this.counting.start(countSteps(this.scope(this.conditions)), count => {
        this.found = count;
        this.showResult();
      });
    }
  }

  /** Count in the next frame: an answer may come in the middle of one. */
  private onKeys(): void {
    this.marking.renew();
    [this.counted, this.countedAt] = ['', Number.NEGATIVE_INFINITY];
    this.showResult();
    this.view.moved();
  }

  private scope(conditions: Selection): Scope {
    const { shown, present } = this.picture;
    return { run: shown.run, matcher: new Matcher(shown.run, conditions), after: present.clearedUntil };
  }

  /** Running tasks that are found. */
  private get running(): readonly RunningTask[] {
    const { run } = this.picture.shown;
    return this.conditions !== null && asksRunning(this.query)
      ? runningOf(run, this.conditions, this.keyed.texts, run.clock.latest)
      : [];
  }

  private step(direction: 1 | -1): void {
    if (this.conditions === null) {
      return;
    }
    if (asksRunning(this.query)) {
      this.stepRunning(direction);
      return;
    }
    const scope = this.scope(this.conditions);
    const { viewport } = this.picture.camera;
    const first: Place = direction === 1 ? { start: viewport.start, row: -1 } : { start: viewport.end, row: Infinity };
    this.stepping.start(stepAround(scope, this.place ?? first, direction), ({ hit, number }) => {
      if (hit !== null) {
        this.place = hit;
        this.reached = {
          number,
          words: hitWords(this.picture.shown.run, hit),
          version: tasksVersion(this.picture.shown.run, this.query)
        };
        this.reveal(hit);
        this.showResult();
      }
    });
  }

  private stepRunning(direction: 1 | -1): void {
    const list = this.running;
    const at = list.findIndex(({ id }) => id === this.place?.row);
    const next = at < 0 ? (direction === 1 ? 0 : list.length - 1) : (at + direction + list.length) % list.length;
    const task = list[next];
    if (task !== undefined) {
      this.place = { start: task.start, row: task.id };
      this.found = list.length;
      this.view.revealWorker(task.worker, task.start, this.picture.shown.run.clock.latest);
      this.reached = { number: next + 1, words: '', version: tasksVersion(this.picture.shown.run, this.query) };
      this.showResult();
    }
  }

  private reveal({ lane, start, row }: Hit): void {
    const { shown, arrangement } = this.picture;
    const band = arrangement.bandOf(lane);
    const track = shown.run.tasks.lanes[lane]?.compute;
    const interval = track === undefined ? null : neighbour(track, start, row - 1, 1);
    if (band !== undefined && interval !== null) {
      this.view.reveal({ band, kind: 'compute', interval });
    }
  }

  private select(): void {
    if (this.conditions !== null && !asksRunning(this.query)) {
      const { period: _, ...conditions } = this.conditions;
      this.view.select(conditions);
    }
  }

  private markAgain(): void {
    this.marking.renew();
    this.view.changed();
  }

  private showResult(): void {
    const found = this.conditions !== null && this.found > 0;
    this.bar.update({ found, selectable: found && !asksRunning(this.query) && this.keyed.few });
    const { run } = this.picture.shown;
    // With other tasks, it has another number.
    const reached = this.reached?.version === tasksVersion(this.picture.shown.run, this.query) ? this.reached : null;
    // Nothing is said not to be there while it is looked for.
    const words = this.found === 0 && this.keyed.busy ? '' : searchWords(run, this.query, this.found, reached, this.trans);
    const text = [words, ...this.keyed.words(run)].filter(each => each !== '').join(' · ');
    this.bar.setStatus(text, reached?.number, this.keyed.busy);
  }

  private fail(error: unknown): void {
    this.found = 0;
    this.bar.setStatus(this.trans.__('The search failed: %1', messageOf(error)));
  }

  private readonly counting = new Sliced(error => this.fail(error));
  private readonly stepping = new Sliced(error => this.fail(error));
  private readonly marking: Marking;
  private readonly keyed: Keyed;
  private query: SearchQuery = parseQuery('');
  /** In the names of the run; `null` where nothing can be found. */
  private conditions: Selection | null = null;
  private found = 0;
  /** The task that was stepped to. */
  private place: Place | null = null;
  /** Its number and its words, among the tasks of a version. */
  private reached: (Reached & { readonly version: string }) | null = null;
  private counted = '';
  private countedAt: Milliseconds = Number.NEGATIVE_INFINITY;
  private disposed = false;
}
