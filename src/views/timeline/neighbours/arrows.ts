import { svgElement } from '../../../base/dom/svg';
import type { IDisposable } from '@lumino/disposable';
import { element, setHidden, setText } from '../../../base/element';
import { formatCount } from '../../../base/format';
import { type Feed, isRecorded } from '../../../feed/feed';
import type { CssPixels, Milliseconds, Seconds } from '../../../base/units';
import type { Translate } from '../../../plot/plot';
import type { Run } from '../../../run/run';
import type { Picture } from '../picture';
import type { Target } from '../picking';
import { type Neighbours, type Ran, readNeighbours } from './neighbours';

/** Half of the width of a head, and of its length. */
const HEAD: CssPixels = 3.5;
/** Arrows end at most this far outside of the plot: what is beyond is cut off anyway. */
const OUTSIDE = 2000;

/** A task is asked about once it has been picked for this long: keys may pass over many. */
const REST: Milliseconds = 150;

/** What the arrows need from their view. */
export interface ArrowsHost {
  /** The live run. */
  readonly run: Run;
  readonly feed: Feed | null;
  readonly trans: Translate;
}

/**
 * Arrows from what a task needed to it (solid), and from it to what needed it (dashed), with a line of text that says how many
 * there are, and which are not drawn.
 *
 * Guarantees:
 * 1. One request for each task that is picked; an answer that comes after another task was picked is dropped.
 * 2. Elements are written only when an arrow moves.
 */
export class Arrows implements IDisposable {
  /** @param answered - an answer has come: draw it */
  constructor(
    private readonly host: ArrowsHost,
    private readonly picture: Picture,
    private readonly answered: () => void
  ) {
    for (const [path, name] of [
      [this.before, 'before'],
      [this.after, 'after'],
      [this.heads, 'heads']
    ] as const) {
      path.setAttribute('class', `dp-Timeline-arrows-${name}`);
      this.lines.append(path);
    }
    this.lines.setAttribute('class', 'dp-Timeline-arrowLines');
    this.lines.setAttribute('aria-hidden', 'true');
    this.node.append(this.lines, this.words);
    setHidden(this.node, true);
  }

  /** Above the blocks; transparent to the pointer. */
  readonly node = element('div', { class: 'dp-Timeline-arrows' });

  /**
   * Draw the arrows of a task in the picture as it is now.
   *
   * @param target - the picked block; `null` for none
   * @param on - whether arrows are wanted at all
   */
  update(target: Target | null, on: boolean): void {
    const row = on && target?.kind === 'compute' ? target.interval.row : -1;
    const { run } = this.picture.shown;
    const asked = row < 0 ? '' : `${run.identity} ${row}`;
    if (asked !== this.asked) {
      this.asked = asked;
      this.found = undefined;
      const { feed } = this.host;
      clearTimeout(this.timer);
      // The feed answers for the live run: another one numbers its tasks differently.
      if (row >= 0 && feed !== null && !isRecorded(feed) && run.identity === this.host.run.identity) {
        this.timer = setTimeout(() => void this.ask(feed, row, asked), REST);
      }
    }
    const shown = target !== null && row >= 0 && this.found !== undefined;
    setHidden(this.node, !shown);
    if (shown) {
      this.draw(target, this.found ?? null);
    }
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    this.disposed = true;
    this.asked = '';
    clearTimeout(this.timer);
  }

  private async ask(feed: Feed, row: number, asked: string): Promise<void> {
    let found: Neighbours | null | undefined;
    try {
      found = readNeighbours(await feed.request('neighbours', { row }));
    } catch {
      // A scheduler of an earlier version, or none that answers: nothing is known, and nothing is said.
      found = undefined;
    }
    if (!this.disposed && asked === this.asked && asked === `${this.host.run.identity} ${row}` && found !== undefined) {
      this.found = found;
      this.answered();
    }
  }

  private draw(target: Target, found: Neighbours | null): void {
    const { arrangement, camera, stage } = this.picture;
    const { viewport } = camera;
    const { ratio, scroll } = stage;
    const x = (time: Seconds): number => Math.min(viewport.width + OUTSIDE, Math.max(-OUTSIDE, viewport.columnOf(time))) / ratio;
    const y = (lane: number): number => {
      const band = arrangement.bandOf(lane);
      const height = band === undefined ? 0 : band.layerHeight * (band.group === undefined ? 1 : band.layers);
      return band === undefined ? Number.NaN : (band.top - scroll + height / 2) / ratio;
    };
    const end = ({ start, duration }: Pick<Ran, 'start' | 'duration'>): Seconds => start + duration;
    const own = { ...target.interval, lane: target.band.lane };
    const lines: Record<'before' | 'after' | 'heads', string[]> = { before: [], after: [], heads: [] };
    let unseen = 0;
    const arrow = (kind: 'before' | 'after', from: Ran | typeof own, to: Ran | typeof own): void => {
      const [x1, y1, x2, y2] = [x(end(from)), y(from.lane), x(to.start), y(to.lane)];
      if (Number.isFinite(y1 + y2)) {
        lines[kind].push(`M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}`);
        lines.heads.push(headOf(x1, y1, x2, y2));
      } else {
        unseen += 1;
      }
    };
    for (const each of found?.before.at ?? []) {
      arrow('before', each, own);
    }
    for (const each of found?.after.at ?? []) {
      arrow('after', own, each);
    }
    setText(this.words, this.wordsOf(found, unseen));
    for (const kind of ['before', 'after', 'heads'] as const) {
      const path = lines[kind].join('');
      if (this[kind].getAttribute('d') !== path) {
        this[kind].setAttribute('d', path);
      }
    }
  }

  /** @param unseen - how many of them are in rows that are not shown */
  private wordsOf(found: Neighbours | null, unseen: number): string {
    const { trans } = this.host;
    if (found === null) {
      return trans.__('Dask does not know the dependencies of this task any more');
    }
    const { before, after, lost, late } = found;
    const needs = before.count === 0 && !lost ? trans.__('needs no other task') : trans.__('needs %1', formatCount(before.count));
    const needed =
      after.count === 0
        ? trans.__('needed by none that Dask knows now')
        : trans.__('needed by %1 (dashed)', formatCount(after.count));
    const undrawn = before.count + after.count - before.at.length - after.at.length;
    return [
      needs,
      ...(lost ? [trans.__('some that it needed are forgotten')] : []),
      needed,
      ...(late ? [trans.__('the search for them was given up after 2 s')] : []),
      ...(undrawn > 0
        ? [
            trans._n(
              '1 not drawn: not finished, not kept or beyond 200',
              '%2 not drawn: not finished, not kept or beyond 200',
              undrawn,
              formatCount(undrawn)
            )
          ]
        : []),
      ...(unseen > 0
        ? [trans._n('1 in a row that is not shown', '%2 in rows that are not shown', unseen, formatCount(unseen))]
        : [])
    ].join(' · ');
  }

  private readonly lines = svgElement('svg');
  private readonly before = svgElement('path');
  private readonly after = svgElement('path');
  private readonly heads = svgElement('path');
  private readonly words = element('div', { class: 'dp-Timeline-arrowWords', role: 'status' });
  private timer: ReturnType<typeof setTimeout> | undefined = undefined;
  /** Which task of which run was asked about. */
  private asked = '';
  private disposed = false;
  /** `null` if Dask does not know it any more; undefined while it is not known. */
  private found: Neighbours | null | undefined = undefined;
}

/** The head of an arrow, as a closed path. */
function headOf(x1: number, y1: number, x2: number, y2: number): string {
  const length = Math.hypot(x2 - x1, y2 - y1);
  // If a task began right after the other on the same thread, the arrow has no length: only the head is visible.
  const [dx, dy] = length > 0 ? [(x2 - x1) / length, (y2 - y1) / length] : [1, 0];
  const [bx, by] = [x2 - dx * 2 * HEAD, y2 - dy * 2 * HEAD];
  const points = [
    [x2, y2],
    [bx - dy * HEAD, by + dx * HEAD],
    [bx + dy * HEAD, by - dx * HEAD]
  ];
  return `M${points.map(point => point.map(value => value.toFixed(1)).join(' ')).join('L')}Z`;
}
