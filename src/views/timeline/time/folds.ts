import { element, setText } from '../../../base/element';
import { formatDuration } from '../../../base/format';
import type { CssPixels } from '../../../base/units';
import type { Fold, FoldedTime } from '../../../run/folded-time';
import type { Viewport } from './viewport';

/** Narrower folds have no length, and no sign. */
const LENGTH_FROM: CssPixels = 40;
const SIGN_FROM: CssPixels = 12;

interface Mark {
  readonly band: HTMLElement;
  readonly label: HTMLElement;
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
      this.write(list, first, ratio, font);
    }
    if (list.length === 0) {
      return;
    }
    const move = `translateX(${(this.base - first) / ratio}px)`;
    if (move !== this.moved) {
      this.moved = move;
      this.bands.style.transform = move;
      this.labels.style.transform = move;
    }
  }

  private write(list: readonly Fold[], first: number, ratio: number, font: number): void {
    while (this.marks.length < list.length) {
      const mark = { band: element('div'), label: element('b') };
      this.marks.push(mark);
      this.bands.append(mark.band);
      this.labels.append(mark.label);
    }
    for (const { band, label } of this.marks.splice(list.length)) {
      band.remove();
      label.remove();
    }
    for (const [i, { from, to, pause }] of list.entries()) {
      const { band, label } = this.marks[i];
      const width = (to - from) / ratio;
      const move = `translateX(${(from - first) / ratio}px)`;
      const sign = width >= SIGN_FROM * font ? '⋯' : '';
      setText(label, width >= LENGTH_FROM * font ? `⋯ ${formatDuration(pause.to - pause.from)}` : sign);
      for (const node of [band, label]) {
        node.style.transform = move;
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
