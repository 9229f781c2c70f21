import { element, setHidden, setText } from '../../../base/element';
import { formatDuration } from '../../../base/format';
import type { CssPixels, Seconds } from '../../../base/units';
import { textWidth } from '../../../plot/text';
import type { Fold, FoldedTime } from '../../../run/folded-time';
import { AXIS_BEFORE } from '../paint/axis';
import type { Viewport } from './viewport';
import { moveX } from './moving';

/** Narrower folds have no sign. */
const SIGN_FROM: CssPixels = 12;

interface Mark {
  readonly band: HTMLElement;
  readonly label: HTMLElement;
  /** Edges of the label when it was last placed, from the first column. */
  left: CssPixels;
  right: CssPixels;
}

/** The folded pauses: a band over the lanes and "⋯" with the length on the axis. Written only when they change. */
export class Folds {
  /** Over the lanes. */
  readonly node = element('div', { class: 'dp-Timeline-folds' });
  /** On the axis. */
  readonly labels = element('div', { class: 'dp-Timeline-foldLabels' });

  constructor() {
    this.node.append(this.bands);
  }

  update(viewport: Viewport, ratio: number, font: number): void {
    const { folded, first, width } = viewport;
    const list = folded.folds.filter(({ from, to }) => to > first && from < first + width);
    const state = `${ratio} ${font} ${list[0]?.from} ${list.length}`;
    if (state !== this.state || folded !== this.folded) {
      this.state = state;
      this.folded = folded;
      this.base = first;
      this.moved = '';
      this.write(list, first, ratio, font);
    }
    if (list.length === 0) {
      return;
    }
    const shift = (this.base - first) / ratio;
    const move = `translateX(${shift}px) ${width}`;
    if (move !== this.moved) {
      this.moved = move;
      moveX(this.bands, shift);
      moveX(this.labels, shift);
      for (const { label, left, right } of this.marks) {
        // Half a label says something else.
        setHidden(label, left + shift < -AXIS_BEFORE * font || right + shift > width / ratio);
      }
    }
  }

  private write(list: readonly Fold[], first: number, ratio: number, font: number): void {
    while (this.marks.length < list.length) {
      const mark = { band: element('div'), label: element('b'), left: 0, right: 0 };
      this.marks.push(mark);
      this.bands.append(mark.band);
      this.labels.append(mark.label);
    }
    for (const { band, label } of this.marks.splice(list.length)) {
      band.remove();
      label.remove();
    }
    for (const [i, { from, to, pause }] of list.entries()) {
      const mark = this.marks[i];
      const width = (to - from) / ratio;
      const begin = (from - first) / ratio;
      const text = labelOf(pause.to - pause.from, width, font);
      const half = (textWidth(text) * font) / 2;
      setText(mark.label, text);
      mark.left = begin + width / 2 - half;
      mark.right = begin + width / 2 + half;
      for (const node of [mark.band, mark.label]) {
        node.style.transform = `translateX(${begin}px)`;
        node.style.width = `${width}px`;
      }
    }
  }

  private readonly bands = element('div', { class: 'dp-Timeline-ticks' });
  private readonly marks: Mark[] = [];
  private state = '';
  private folded: FoldedTime | null = null;
  private moved = '';
  private base = 0;
}

/** The length of a pause, as exactly as there is room for: "⋯ 23 h 59 m", "⋯ ≥ 23 h", "⋯", or nothing. */
function labelOf(length: Seconds, width: CssPixels, font: number): string {
  const exact = formatDuration(length);
  const [value, unit, ...more] = exact.split(' ');
  const texts = [`⋯ ${exact}`, ...(more.length > 0 ? [`⋯ ≥ ${value} ${unit}`] : [])];
  return texts.find(text => textWidth(text) * font <= width) ?? (width >= SIGN_FROM * font ? '⋯' : '');
}
