import type { CssPixels, Seconds, Share } from '../../../base/units';
import { liveOf } from '../../../run/frozen';
import type { Run } from '../../../run/run';
import type { Period } from '../../../run/selection/selection';
import type { TimeWindow, Wanted } from '../../../run/time-window';
import { beginOf } from '../../../selectors/computations/reading';
import { periodOf, presentComputations } from '../../../selectors/tasks/computation-words';
import type { Band } from '../lanes/layout';
import type { Picture } from '../picture';

/** Zoom of one press of a button. */
const STEP = 0.5;
/** Share of a period in the picture from which on it counts as shown. */
const ENOUGH: Share = 0.5;
/** Time shown before and after a period. */
const MARGIN: Share = 0.05;

/** What the view does when the period has changed. */
export interface Travelled {
  /** The picture was paused (`true`) or follows again, by a change of the period. */
  paused(paused: boolean): void;
  /** The period is another one: draw it. */
  moved(): void;
  /** Keep the length of the period for the next time that this pane is opened. */
  save(span: Seconds): void;
}

/**
 * Moves a timeline through time: every action of the user that changes the visible period.
 *
 * Guarantees: an action that leaves now pauses the picture, one that returns to it resumes, and either is reported once.
 */
export class Travel {
  constructor(
    private readonly picture: Picture,
    private readonly view: Travelled
  ) {}

  /**
   * Begin with the computation that runs or ran last, once, unless the user has chosen a period. A recording is shown from its start.
   */
  open(run: Run, recorded: boolean): void {
    if (run.identity === this.opened) {
      return;
    }
    const { camera } = this.picture;
    const chosen = recorded || !camera.following || !Number.isNaN(camera.chosenSpan);
    const [present] = chosen ? [] : presentComputations(run);
    if (chosen || present !== undefined) {
      this.opened = run.identity;
      camera.beginAt(present === undefined ? Number.NEGATIVE_INFINITY : (periodOf(run, present)?.from ?? beginOf(present)));
    }
  }

  /** Show `factor` times as much time; `x` stays fixed, NaN for the middle. */
  zoom(factor: number, x: CssPixels): void {
    this.picture.camera.zoom(factor, x * this.picture.stage.ratio);
    this.chosen();
  }

  /** Zoom by one press of a button. */
  step(into: boolean): void {
    this.zoom(into ? STEP : 1 / STEP, Number.NaN);
  }

  /** @param distance - to the right; negative to the left */
  pan(distance: CssPixels): void {
    this.whilePausing(() => this.picture.camera.pan(distance * this.picture.stage.ratio));
  }

  /** @param share - of the visible time, to the right */
  panShare(share: Share): void {
    const { width, ratio } = this.picture.stage;
    this.pan((share * width) / ratio);
  }

  /** Show the whole run. */
  fit(): void {
    this.opened = this.picture.shown.run.identity;
    this.picture.camera.fit();
    this.chosen();
  }

  /** Keep now in view. */
  follow(): void {
    this.whilePausing(() => this.picture.camera.follow());
  }

  /**
   * Go where another view of the run wants to be; at first, to where the views of the run are. What is drawn stays live there: its
   * data may still be on the way, and the clock of a recording moves on. A paused picture goes on if what is wanted came after the
   * pause: it would be empty there.
   */
  join({ chosen, wanted }: TimeWindow): void {
    const { joined } = this;
    this.joined = wanted;
    const asked = joined === undefined ? chosen : wanted !== joined && wanted !== null ? wanted.period : undefined;
    if (asked) {
      const { camera, shown } = this.picture;
      if (shown.paused && asked.from >= shown.at) {
        this.view.paused(false);
      }
      camera.show(asked.from, asked.to);
      this.view.moved();
    } else if (asked === null && joined !== undefined) {
      this.whilePausing(() => this.picture.camera.setPaused(false));
    }
  }

  /** Notify other views of the run of what is shown. */
  share(window: TimeWindow, owner: object): void {
    const { camera, shown } = this.picture;
    // A picture that is paused may be of a run that is over.
    const away = camera.away && shown.run.identity === liveOf(shown.run).identity;
    window.show(owner, camera.viewport.visible, camera.following ? 'time' : 'person', away);
  }

  /** Follow, and show what began at a time, however long it takes. */
  followFrom(origin: Seconds): void {
    this.whilePausing(() => this.picture.camera.followFrom(origin));
    this.chosen();
  }

  /** Show a period, and stay there. */
  show(from: Seconds, to: Seconds): void {
    this.whilePausing(() => this.picture.camera.show(from, to));
  }

  /** Show a period of which less than half is in the picture, and stay there; `null` does nothing. */
  bring(period: Period | null): void {
    if (period === null) {
      return;
    }
    const { from, to } = period;
    const { camera } = this.picture;
    const { viewport } = camera;
    const [left, right] = [viewport.columnOf(from), viewport.columnOf(to)];
    const visible = Math.min(right, viewport.width) - Math.max(left, 0);
    if (visible < (right - left) * ENOUGH) {
      const margin = MARGIN * (to - from);
      const fits = right - left < viewport.width;
      this.whilePausing(() => (fits ? camera.reveal(from, to) : camera.show(from - margin, to + margin)));
    }
  }

  /** Show as much time as before, around a time, and stay there. */
  centre(time: Seconds): void {
    const { viewport } = this.picture.camera;
    this.whilePausing(() => this.picture.camera.pan(viewport.columnOf(time) - viewport.width / 2));
  }

  /** Bring a period on a lane into the picture, and stay there. */
  reveal(band: Band | undefined, from: Seconds, to: Seconds): void {
    this.whilePausing(() => {
      this.scrollTo(band);
      this.picture.camera.reveal(from, to);
    });
  }

  /** Stay at the present period. */
  stay(): void {
    this.whilePausing(() => this.picture.camera.setPaused(true));
  }

  /** Identity of the run for which the first period has been chosen. */
  private opened = '';
  /** What other views wanted when this one went there; undefined before the first drawing. */
  private joined: Wanted | null | undefined;

  private chosen(): void {
    this.view.save(this.picture.camera.chosenSpan);
    this.view.moved();
  }

  private scrollTo(band: Band | undefined): void {
    const { plot, ratio, scroll, height } = this.picture.stage;
    if (band !== undefined && (band.top < scroll || band.top + band.layerHeight > scroll + height)) {
      plot.scrollTop = Math.max(0, (band.top - height / 2) / ratio);
    }
  }

  private whilePausing(act: () => void): void {
    const { camera } = this.picture;
    const before = camera.following;
    act();
    if (before !== camera.following) {
      this.view.paused(before);
    }
    this.view.moved();
  }
}
