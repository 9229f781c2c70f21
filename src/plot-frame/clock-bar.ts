import type { IDisposable } from '@lumino/disposable';
import { element, setAttribute, setData, setText } from '../base/element';
import { formatElapsed, formatTick } from '../base/format';
import type { Milliseconds, Seconds } from '../base/units';
import { type FileFeed, SPEEDS } from '../feed/recordings/file-feed';
import type { Translate } from '../plot/plot';
import { ClockFollower } from './clock-follower';

/** Steps of the slider: finer ones could not be pointed at. */
const STEPS = 1000;
/** Steps per arrow key; page up and down use ten times as many. */
const KEY_STEPS = 10;

/** Minimum time between two drawings while playing. */
const PLAYING_PERIOD: Milliseconds = 100;

/** A seek that takes longer would stop the slider under the pointer, as far back in a recording of hours: */
const SLOW: Milliseconds = 50;
/** the next ones wait until the slider has rested for this time. */
const REST: Milliseconds = 150;

/** Draws the play or pause icon into a button: JupyterLab's icons in a document, its own in a report. */
export type PlaySign = (button: HTMLElement, playing: boolean) => void;

/** The clock of a recording: play or pause, the moment, a slider for the whole recording, the speed. */
export class ClockBar implements IDisposable {
  readonly node: HTMLElement;

  constructor(
    private readonly feed: FileFeed,
    private readonly trans: Translate,
    private readonly sign: PlaySign
  ) {
    this.play.addEventListener('click', () => {
      this.settle();
      if (feed.playing) {
        feed.pause();
      } else {
        feed.play();
      }
    });
    this.slider = element('input', {
      class: 'dp-Clock-slider',
      attributes: { type: 'range', min: '0', max: String(STEPS), step: '1', 'aria-label': trans.__('Time in the recording') }
    });
    this.slider.addEventListener('input', () => this.seek(Number(this.slider.value)));
    this.slider.addEventListener('change', () => this.settle());
    this.slider.addEventListener('keydown', event => this.onKey(event));
    this.speed = element('select', {
      class: 'dp-Clock-speed',
      title: trans.__('Speed'),
      attributes: { 'aria-label': trans.__('Speed') }
    });
    for (const speed of SPEEDS) {
      this.speed.append(element('option', { text: `${formatTick(speed)}×`, attributes: { value: String(speed) } }));
    }
    this.speed.addEventListener('change', () => {
      feed.speed = Number(this.speed.value);
    });
    this.node = element(
      'div',
      { class: 'dp-Clock', role: 'group', attributes: { 'aria-label': trans.__('Clock of the recording') } },
      this.play,
      this.now,
      this.slider,
      this.total,
      this.speed
    );
    this.follower = new ClockFollower(feed, PLAYING_PERIOD, () => this.draw());
    this.follower.paint();
  }

  get isDisposed(): boolean {
    return this.follower.isDisposed;
  }

  dispose(): void {
    clearTimeout(this.due);
    this.follower.dispose();
  }

  private draw(): void {
    const { feed } = this;
    const length = feed.end - feed.start;
    const at = (this.wanted ?? feed.position) - feed.start;
    const decimals = length < 600 ? 1 : 0;
    const label = feed.playing ? this.trans.__('Pause') : this.trans.__('Play');
    if (this.play.title !== label) {
      this.play.title = label;
      this.play.setAttribute('aria-label', label);
      this.play.replaceChildren();
      this.sign(this.play, feed.playing);
    }
    setText(this.now, formatElapsed(at, decimals));
    setText(this.total, formatElapsed(length, decimals));
    setAttribute(
      this.total,
      'title',
      this.trans.__('Length of the recording, which begins before its first task and ends after its last')
    );
    this.slider.value = String(length > 0 ? Math.round((at / length) * STEPS) : STEPS);
    const words = this.trans.__('%1 of %2', formatElapsed(at, decimals), formatElapsed(length, decimals));
    setAttribute(this.slider, 'aria-valuetext', words);
    this.slider.style.setProperty('--dp-done', `${length > 0 ? (at / length) * 100 : 100}%`);
    this.speed.value = String(feed.speed);
    setData(this.node, 'playing', String(feed.playing));
  }

  private seek(step: number): void {
    const { start, end } = this.feed;
    this.feed.pause();
    this.wanted = start + (end - start) * (step / STEPS);
    clearTimeout(this.due);
    if (this.cost > SLOW) {
      this.due = setTimeout(() => this.settle(), REST);
      this.draw();
    } else {
      this.settle();
    }
  }

  /** Show the moment that the slider is at. */
  private settle(): void {
    clearTimeout(this.due);
    const { wanted } = this;
    if (wanted !== null) {
      const begun = performance.now();
      this.wanted = null;
      this.feed.seek(wanted);
      this.cost = performance.now() - begun;
    }
  }

  private onKey(event: KeyboardEvent): void {
    const steps: Record<string, number> = {
      ArrowLeft: -KEY_STEPS,
      ArrowDown: -KEY_STEPS,
      ArrowRight: KEY_STEPS,
      ArrowUp: KEY_STEPS,
      PageDown: -10 * KEY_STEPS,
      PageUp: 10 * KEY_STEPS
    };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const to = Math.min(STEPS, Math.max(0, Number(this.slider.value) + step));
      // The next key may be pressed before the next frame.
      this.slider.value = String(to);
      this.seek(to);
    } else if (event.key === ' ') {
      event.preventDefault();
      this.play.click();
    }
  }

  /** The moment of the slider that is still to be shown. */
  private wanted: Seconds | null = null;
  private due: ReturnType<typeof setTimeout> | undefined;
  /** Of the last seek. */
  private cost: Milliseconds = 0;
  private readonly follower: ClockFollower;
  private readonly play = element('button', { class: 'dp-IconButton dp-Clock-play' });
  private readonly now = element('span', { class: 'dp-Clock-time' });
  private readonly total = element('span', { class: 'dp-Clock-time' });
  private readonly slider: HTMLInputElement;
  private readonly speed: HTMLSelectElement;
}
