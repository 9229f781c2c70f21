import type { IDisposable } from '@lumino/disposable';
import type { Advice, Verdict } from '../../advice/advice';
import { hiddenCauses } from '../../advice/hidden';
import { adviceChanged, reportedAdviceOf, showEvidence } from '../../advice/shown';
import { mostlyWorkerless, noticedVerdicts } from '../../advice/words';
import { element, setAttribute, setText } from '../../base/element';
import { formatDuration, formatPercent } from '../../base/format';
import type { CssPixels } from '../../base/units';
import type { TimeAxis } from '../../plot/plot';
import { oneLine, textWidth } from '../../plot/text';
import type { Run } from '../../run/run';
import type { Period } from '../../run/selection/selection';
import type { ViewHost } from '../view';

/** Height of a row of marks, at the default font size. */
const ROW: CssPixels = 17;
/** Rows; what does not fit is in the list of causes. */
const MOST_ROWS = 2;
/** A lower view has no marks. */
const LOWEST: CssPixels = 200;
/** Room beside a text: its sign, and the gap to the next mark or to the edge. */
const BESIDE: CssPixels = 30;
/** A shorter period is as wide. */
const LEAST: CssPixels = 6;

/** Where the times of an axis are: an element's coordinates. */
export type MarkedAxis = Pick<TimeAxis, 'left' | 'right' | 'at'>;

interface Mark {
  readonly node: HTMLButtonElement;
  readonly range: HTMLElement;
  readonly text: HTMLElement;
  verdict: Verdict;
}

/** Position of a mark: its range, and its whole box with the text. */
interface Place {
  readonly verdict: Verdict;
  readonly label: string;
  readonly row: number;
  readonly range: readonly [CssPixels, CssPixels];
  readonly box: readonly [CssPixels, CssPixels];
}

/**
 * Causes of lost time as ranges along a time axis: a bracket, the cause and its share; a click shows the evidence.
 *
 * Guarantees:
 * 1. Nothing is computed and nothing fetched here: marks are what a pane, a card or a report has computed in the last 10 s.
 * 2. A cause keeps its element while it is shown, so that no click is lost.
 */
export class AdviceMarks implements IDisposable {
  /** @param changed - the advice about the run has changed */
  constructor(
    private readonly host: ViewHost,
    private readonly changed: () => void
  ) {
    adviceChanged(host.run).connect(this.onChanged, this);
  }

  readonly node = element('div', { class: 'dp-Marks', role: 'group' });

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    this.disposed = true;
    adviceChanged(this.host.run).disconnect(this.onChanged, this);
  }

  /** The height that the marks take, 0 without any. */
  get height(): CssPixels {
    return this.taken;
  }

  /**
   * Write the marks of a run. Returns whether their height is another one.
   *
   * @param height - of the view
   * @param font - interface font size relative to the default
   */
  update(run: Run, axis: MarkedAxis, height: CssPixels, font: number): boolean {
    const places = height < LOWEST * font ? [] : this.places(run, axis, font);
    this.write(places, font);
    const rows = places.reduce((most, { row }) => Math.max(most, row + 1), 0);
    const taken = Math.round(rows * ROW * font);
    const differs = taken !== this.taken;
    if (differs) {
      this.taken = taken;
      this.node.style.height = `${taken}px`;
    }
    return differs;
  }

  private onChanged(): void {
    this.changed();
  }

  /** The most expensive causes first: each in the first row that has room for it. */
  private places(run: Run, axis: MarkedAxis, font: number): readonly Place[] {
    const reported = reportedAdviceOf(run);
    this.asked = reported?.asked ?? null;
    if (reported === null) {
      return [];
    }
    const places: Place[] = [];
    for (const verdict of noticedVerdicts(reported.advice, hiddenCauses(run))) {
      const { period } = verdict.evidence.selection;
      const range = period === null ? null : rangeOf(axis, period);
      if (range !== null) {
        const label = labelOf(reported.advice, verdict);
        const box = boxOf(range, axis, (textWidth(label) + BESIDE) * font);
        const row = rowFor(places, box);
        if (row < MOST_ROWS) {
          places.push({ verdict, label, row, range, box });
        }
      }
    }
    return places;
  }

  private write(places: readonly Place[], font: number): void {
    const before = this.marks;
    this.marks = new Map();
    for (const { verdict, label, row, range, box } of places) {
      const mark = before.get(verdict.cause) ?? this.made(verdict);
      before.delete(verdict.cause);
      this.marks.set(verdict.cause, mark);
      mark.verdict = verdict;
      setText(mark.text, label);
      setAttribute(mark.node, 'title', verdict.sentence);
      setAttribute(mark.node, 'aria-label', this.host.trans.__('Show me: %1', verdict.sentence));
      const { style } = mark.node;
      style.transform = `translate(${box[0].toFixed(1)}px, ${Math.round(row * ROW * font)}px)`;
      style.width = `${(box[1] - box[0]).toFixed(1)}px`;
      mark.range.style.left = `${(range[0] - box[0]).toFixed(1)}px`;
      mark.range.style.width = `${(range[1] - range[0]).toFixed(1)}px`;
    }
    for (const { node } of before.values()) {
      node.remove();
    }
  }

  private made(verdict: Verdict): Mark {
    const range = element('span', { class: 'dp-Mark-range', attributes: { 'aria-hidden': 'true' } });
    const text = element('bdi', { class: 'dp-Mark-text' });
    const node = element(
      'button',
      { class: 'dp-Mark', data: { cause: verdict.cause }, onClick: () => this.show(mark.verdict) },
      range,
      element('span', { class: 'dp-Mark-sign', text: '▲', attributes: { 'aria-hidden': 'true' } }),
      text
    );
    const mark: Mark = { node, range, text, verdict };
    this.node.setAttribute('aria-label', this.host.trans.__('Causes of lost time'));
    this.node.append(node);
    return mark;
  }

  private show(verdict: Verdict): void {
    showEvidence(this.host.run, verdict, this.asked);
    this.host.open(verdict.evidence.plot, {});
  }

  private marks = new Map<string, Mark>();
  private asked: Period | null = null;
  private taken: CssPixels = 0;
  private disposed = false;
}

function labelOf(advice: Advice, verdict: Verdict): string {
  const { title, cost } = verdict;
  const workerless = mostlyWorkerless(advice, verdict);
  const figure = workerless > 0 ? formatDuration(workerless) : cost.seconds > 0 ? formatPercent(cost.share) : '';
  return oneLine(figure === '' ? title : `${title} · ${figure}`, 80);
}

/** The visible part of a period; `null` if there is none. */
function rangeOf(axis: MarkedAxis, { from, to }: Period): readonly [CssPixels, CssPixels] | null {
  const last = axis.at(to);
  const begin = Math.max(axis.left, axis.at(from));
  const end = Math.min(axis.right, Math.max(last, begin + LEAST));
  return last >= axis.left && begin < end ? [begin, end] : null;
}

/** The range and the text, which may be longer; at the right end it grows to the left. */
function boxOf([begin, end]: readonly [CssPixels, CssPixels], { left, right }: MarkedAxis, text: CssPixels): Place['box'] {
  const width = Math.min(right - left, Math.max(text, end - begin));
  const from = Math.max(left, Math.min(begin, right - width));
  return [from, from + width];
}

function rowFor(places: readonly Place[], [from, to]: Place['box']): number {
  const free = (row: number): boolean => places.every(each => each.row !== row || to <= each.box[0] || from >= each.box[1]);
  return free(0) ? 0 : free(1) ? 1 : MOST_ROWS;
}
