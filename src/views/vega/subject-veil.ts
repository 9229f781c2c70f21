import { svgElement } from '../../base/dom/svg';
import type { IDisposable } from '@lumino/disposable';
import type { CssPixels } from '../../base/units';
import type { Subject, VegaDrawing } from '../../plot/plot';
import { type RunSelection, selectionOf } from '../../run/selection/selection';
import { isLeftOut, pick } from '../../selectors/selection/picked';
import { KeptSelection } from '../selection/kept-selection';
import type { ViewHost } from '../view';
import type { Marked } from './pointing';
import type { RowWindow } from './row-window';

/** The dataset of marks outside of rows. */
const BOXES = 'bandHits';

/** Where the marks of a picture are. */
interface Drawn {
  readonly marks: readonly Marked[];
  /** Marks outside of rows, which have boxes of their own. */
  readonly boxes: readonly Marked[];
  readonly rows: RowWindow;
  readonly width: CssPixels;
  /** CSS pixels per unit of the picture. */
  readonly scale: number;
}

/**
 * Selects functions and workers in a picture, and dims the rows and boxes of others. The selection is that of the run; it is
 * saved with the view where there are such marks. An SVG, so that any number of them is one element; nothing of the picture
 * is drawn again when the selection changes.
 */
export class SubjectVeil implements IDisposable {
  constructor(host: Pick<ViewHost, 'run' | 'saved' | 'save'>) {
    this.selection = selectionOf(host.run);
    this.node.setAttribute('class', 'dp-VegaView-veil');
    this.node.setAttribute('aria-hidden', 'true');
    this.node.append(this.shade);
    this.selection.changed.connect(this.draw, this);
    this.kept = new KeptSelection(host, () => this.selectable);
  }

  readonly node = svgElement('svg');

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    this.disposed = true;
    this.selection.changed.disconnect(this.draw, this);
    this.kept.dispose();
  }

  /** The picture was drawn; `width` is in its units. */
  update({ data }: VegaDrawing, rows: RowWindow, width: CssPixels, scale: number): void {
    const [marks, boxes] = [data.hits, data[BOXES]].map(found => (found ?? []) as readonly Marked[]);
    this.drawn = { marks, boxes, rows, width, scale };
    this.selectable ||= this.drawn.marks.some(({ tooltip }) => tooltip?.subject !== undefined);
    this.kept.restore();
    this.draw();
  }

  /** See {@link pick} of selectors. */
  pick(subject: Subject | undefined, adds: boolean): boolean | null {
    return subject === undefined ? null : pick(this.selection, subject, adds);
  }

  onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape' && this.selectable) {
      this.selection.clear();
    }
  }

  private draw(): void {
    const { drawn } = this;
    const { current } = this.selection;
    const selects = current.functions !== null || current.workers !== null || current.threads !== null;
    const veiled = (mark: Marked, place: (drawn: Drawn) => string): string => {
      const subject = drawn === null ? undefined : mark.tooltip?.subject;
      return drawn !== null && subject !== undefined && isLeftOut(current, subject) ? place(drawn) : '';
    };
    const path =
      drawn === null || !selects
        ? ''
        : [
            ...drawn.marks.map((mark, i) => veiled(mark, all => rectangle(all, mark, i))),
            ...drawn.boxes.map(mark => veiled(mark, all => box(all, mark)))
          ].join('');
    if (path !== this.path) {
      this.path = path;
      this.shade.setAttribute('d', path);
    }
  }

  private readonly selection: RunSelection;
  private readonly kept: KeptSelection;
  private readonly shade = svgElement('path');
  private drawn: Drawn | null = null;
  /** Whether any mark so far stood for something that can be selected. */
  private selectable = false;
  private path = '';
  private disposed = false;
}

/** The whole row of a mark, or its own box in a picture without rows. */
function rectangle(drawn: Drawn, mark: Marked, i: number): string {
  const { pitch, margins } = drawn.rows;
  const row = { x: 0, y: margins.top + i * pitch, x2: drawn.width, y2: margins.top + (i + 1) * pitch };
  return box(drawn, pitch > 0 ? row : mark);
}

/** The box of a mark. */
function box({ scale }: Drawn, { x, y, x2, y2 }: Pick<Marked, 'x' | 'y' | 'x2' | 'y2'>): string {
  const edges = [x, y, x2, y2];
  const [left, top, right, bottom] = edges.map(edge => ((edge ?? Number.NaN) * scale).toFixed(1));
  return edges.every(Number.isFinite) ? `M${left} ${top}H${right}V${bottom}H${left}Z` : '';
}
