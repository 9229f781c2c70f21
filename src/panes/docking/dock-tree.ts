/**
 * Dock layouts as plain trees: removing panes, inserting a layout next to a document. Nothing here depends on Lumino;
 * the trees have the shape of its `DockLayout.AreaConfig`, so that a dock panel accepts them.
 */
import type { CssPixels, Share } from '../../base/units';

/** Widgets in one tab area, one in front. */
export interface TabArea<W> {
  readonly type: 'tab-area';
  readonly widgets: W[];
  readonly currentIndex: number;
}

/** Areas side by side or above each other; sizes are relative to their sum. */
export interface SplitArea<W> {
  readonly type: 'split-area';
  readonly orientation: 'horizontal' | 'vertical';
  readonly children: Area<W>[];
  readonly sizes: number[];
}

/** Any part of a dock layout. */
export type Area<W> = TabArea<W> | SplitArea<W>;

/** A tab area with its first widget in front. */
export function tabs<W>(...widgets: W[]): TabArea<W> {
  return { type: 'tab-area', widgets, currentIndex: 0 };
}

/**
 * A split area. Children of the same orientation are merged with scaled sizes, since a dock panel would not scale them;
 * a single child replaces the area.
 */
export function split<W>(orientation: 'horizontal' | 'vertical', parts: readonly (readonly [Area<W>, number])[]): Area<W> {
  if (parts.length === 1) {
    return parts[0][0];
  }
  const children: Area<W>[] = [];
  const sizes: number[] = [];
  for (const [area, size] of parts) {
    if (area.type === 'split-area' && area.orientation === orientation) {
      const sum = area.sizes.reduce((total, value) => total + value, 0) || 1;
      children.push(...area.children);
      sizes.push(...area.sizes.map(value => (size * value) / sum));
    } else {
      children.push(area);
      sizes.push(size);
    }
  }
  return { type: 'split-area', orientation, children, sizes };
}

/**
 * The tree without some widgets. Their space goes to the previous neighbour, so that a document regains the space of a
 * layout next to it. `null` if nothing is left.
 */
export function prune<W>(area: Area<W> | null, gone: ReadonlySet<W>): Area<W> | null {
  if (area === null) {
    return null;
  }
  if (area.type === 'tab-area') {
    const widgets = area.widgets.filter(widget => !gone.has(widget));
    const current = widgets.indexOf(area.widgets[area.currentIndex]);
    return widgets.length > 0 ? { ...area, widgets, currentIndex: Math.max(0, current) } : null;
  }
  const parts: [Area<W>, number][] = [];
  let orphaned = 0;
  for (const [i, child] of area.children.entries()) {
    const kept = prune(child, gone);
    const before = parts.at(-1);
    if (kept) {
      parts.push([kept, area.sizes[i] + orphaned]);
      orphaned = 0;
    } else if (before) {
      before[1] += area.sizes[i];
    } else {
      orphaned += area.sizes[i];
    }
  }
  return parts.length > 0 ? split(area.orientation, parts) : null;
}

/** Fraction of the whole width of the area with a widget; 1 if the widget is not in the tree. */
export function widthOf<W>(area: Area<W>, widget: W): Share {
  if (area.type === 'tab-area') {
    return 1;
  }
  const sum = area.sizes.reduce((total, value) => total + value, 0) || 1;
  const at = area.children.findIndex(child => holds(child, widget));
  if (at < 0) {
    return 1;
  }
  return (area.orientation === 'horizontal' ? area.sizes[at] / sum : 1) * widthOf(area.children[at], widget);
}

/**
 * Insert `graft` to the right of the area with `beside` or below it, or of everything if it is `null` or missing.
 *
 * @param share - fraction of the shared width or height for `graft`
 */
export function graftBeside<W>(
  area: Area<W> | null,
  beside: W | null,
  graft: Area<W>,
  share: Share,
  orientation: SplitArea<W>['orientation'] = 'horizontal'
): Area<W> {
  if (area === null) {
    return graft;
  }
  if (area.type === 'tab-area' || beside === null || !holds(area, beside)) {
    return split(orientation, [
      [area, 1 - share],
      [graft, share]
    ]);
  }
  return split(
    area.orientation,
    area.children.map((child, i) => [
      holds(child, beside) ? graftBeside(child, beside, graft, share, orientation) : child,
      area.sizes[i]
    ])
  );
}

/** Whether a widget is somewhere in an area. */
export function holds<W>(area: Area<W>, widget: W): boolean {
  return area.type === 'tab-area' ? area.widgets.includes(widget) : area.children.some(child => holds(child, widget));
}

/** The same tree with other widgets. */
export function mapArea<V, W>(area: Area<V>, widget: (of: V) => W): Area<W> {
  return area.type === 'tab-area'
    ? { ...area, widgets: area.widgets.map(widget) }
    : { ...area, children: area.children.map(child => mapArea(child, widget)) };
}

/** All widgets of an area. */
export function widgetsOf<W>(area: Area<W> | null): W[] {
  return area === null ? [] : area.type === 'tab-area' ? [...area.widgets] : area.children.flatMap(widgetsOf);
}

/** Fractions of two neighbours if the first should get a given fraction but at least a number of pixels. */
export function atLeast(share: Share, least: CssPixels, whole: CssPixels): [Share, Share] {
  const first = whole > 0 ? Math.min(0.8, Math.max(share, least / whole)) : share;
  return [first, 1 - first];
}
