/** What a pane shows, and which of its labels cannot be read. Playwright sends these functions: each is self-contained. */
import type { Item, Scene, View } from 'vega';
import type { Plot, PlotContext } from '../../src/plot/plot';
import type { Run } from '../../src/run/run';
import type { Box } from './draw-log';

/** What a pane has painted. */
export interface Painted {
  /** Marks of the picture: none of its axes, and no texts. Elements with text where the picture is not a canvas. */
  readonly marks: number;
  /** Labels that are cut, lie over others or are outside, each with what is wrong. */
  readonly cut: readonly string[];
}

/** The parts of a pane that only its class may use. */
interface Inside {
  readonly plot: Plot;
  readonly picture: {
    readonly run: Run;
    context(): PlotContext;
    readonly holder: { readonly view: { requestDraw?(): void; readonly chart?: { readonly view: View } | null } | null };
  };
}

/** Cells by the id of their column. */
export type Row = Readonly<Record<string, string | number>>;

/** Values of all rows of the pane's table, whatever the pane shows. */
export function tableOf(id: string): Row[] {
  const pane = window.daskPanesTest.pane(id);
  const { plot, picture } = pane as unknown as Inside;
  if (plot.view === 'task') {
    // Its facts are elements.
    const text = (selector: string): string => pane.node.querySelector(selector)?.textContent ?? '';
    return [
      { what: 'Key', value: text('.dp-Task-key') },
      { what: 'State', value: text('.dp-Task-state') }
    ];
  }
  const { columns, rows } = plot.table(picture.run, picture.context());
  return rows.map(({ cells }) => Object.fromEntries(columns.map((column, i) => [column.id, cells[i]?.value ?? ''])));
}

/**
 * What the pane of a plot has painted.
 *
 * @param id - of the plot
 * @param long - texts that need not fit: they are cut where they are shown, and whole in the tooltip
 */
export function paintedBy([id, long]: readonly [string, readonly string[]]): Painted {
  const pane = window.daskPanesTest.pane(id);
  const { view } = (pane as unknown as Inside).picture.holder;
  const picture = pane.node.querySelector('.dp-Pane-picture') ?? pane.node;
  const cut: string[] = [];
  let marks = 0;
  const shown = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)} [and more]` : text);
  const shortened = (text: string): boolean =>
    text.includes('…') && !text.split('…').every(part => long.some(whole => whole.includes(part.trim())));
  const beyond = (box: Box, frame: Box, slack: number): number =>
    Math.max(frame.left - box.left, frame.top - box.top, box.right - frame.right, box.bottom - frame.bottom) - slack;
  const apart = (a: Box, b: Box): boolean => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;

  // The scene of Vega: what is painted without axes and texts.
  const count = (item: Scene | Item): void => {
    const { items, marktype, role } = item as unknown as { items?: (Scene | Item)[]; marktype?: string; role?: string };
    if (marktype !== undefined && marktype !== 'group' && marktype !== 'text' && role === 'mark') {
      marks += items?.length ?? 0;
    } else {
      for (const each of items ?? []) {
        count(each);
      }
    }
  };
  const chart = view?.chart?.view;
  if (chart !== undefined) {
    count((chart.scenegraph() as unknown as { root: Scene }).root);
  }

  for (const canvas of picture.querySelectorAll('canvas')) {
    if (!canvas.checkVisibility() || canvas.width === 0) {
      continue;
    }
    const drawn = window.daskPanesDrawn(canvas);
    const ratio = canvas.width / Math.max(1, canvas.getBoundingClientRect().width);
    const frame = { left: 0, top: 0, right: canvas.width, bottom: canvas.height };
    const ofVega = canvas.closest('.dp-VegaView') !== null;
    marks += ofVega ? 0 : drawn.marks;
    for (const [i, text] of drawn.texts.entries()) {
      if (text.text.trim() === '') {
        continue;
      }
      const outside = apart(text, frame) || apart(text, text.within);
      if (outside ? ofVega : beyond(text, frame, 1.5 * ratio) > 0 || (!ofVega && beyond(text, text.within, 1.5 * ratio) > 0)) {
        cut.push(`${shown(text.text)} is cut by the edge of the picture`);
      }
      // Names inside of shapes are as long as their shapes.
      if (ofVega && shortened(text.text)) {
        cut.push(`${shown(text.text)} is shortened`);
      }
      for (const other of drawn.texts.slice(i + 1)) {
        const wide = Math.min(text.right, other.right) - Math.max(text.left, other.left);
        const high = Math.min(text.bottom, other.bottom) - Math.max(text.top, other.top);
        if (wide > 1.5 * ratio && high > 2 * ratio && other.text.trim() !== '') {
          cut.push(`${shown(text.text)} lies over ${shown(other.text)}`);
        }
      }
    }
  }

  // Texts of the document.
  const bounds = pane.node.getBoundingClientRect();
  const walker = document.createTreeWalker(pane.node, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    const text = node.textContent?.trim() ?? '';
    if (text === '' || parent === null || !parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) {
      continue;
    }
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width === 0 || parent.closest('.dp-Hidden') !== null) {
      continue;
    }
    const inPicture = picture.contains(parent);
    const explained = parent.closest('[title]:not([title=""])');
    // What says how much there is, and what is missing, is read without a pointer.
    const excused = parent.closest('.dp-Pane-counts, .dp-Status-notes') === null;
    const named = excused && explained !== null && pane.node.contains(explained) && explained !== pane.node;
    let seen = true;
    let scrolls = false;
    let fault = '';
    for (let holder: Element | null = parent; holder !== null && pane.node.contains(holder); holder = holder.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(holder);
      const edges = holder.getBoundingClientRect();
      if (overflowX === 'visible' && overflowY === 'visible') {
        continue;
      }
      if (apart(box, edges)) {
        seen = false;
        break;
      }
      scrolls ||= /auto|scroll/.test(`${overflowX} ${overflowY}`) && holder !== parent;
      const wide = Math.max(edges.left - box.left, box.right - edges.right);
      const high = Math.max(edges.top - box.top, box.bottom - edges.bottom);
      if (/hidden|clip/.test(overflowX) && wide > 1 && !scrolls) {
        fault ||= 'is cut at its side';
      }
      if (/hidden|clip/.test(overflowY) && high > 4 && !scrolls) {
        fault ||= 'is cut above or below';
      }
    }
    if (!seen) {
      continue;
    }
    marks += inPicture && chart === undefined ? 1 : 0;
    if (fault === '' && !scrolls && (box.right > bounds.right + 1 || box.left < bounds.left - 1)) {
      fault = 'is outside of the pane';
    }
    if (fault !== '' && !named && !long.some(whole => text.includes(whole) || whole.includes(text))) {
      cut.push(`${shown(text)} ${fault} (${parent.className})`);
    }
  }
  return { marks, cut: [...new Set(cut)] };
}
