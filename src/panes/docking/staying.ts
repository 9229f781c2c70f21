/** Panes that stay where a layout is placed: it has its own room, so they become tabs behind its panes. */
import { type Area, type TabArea, tabs } from './dock-tree';

/**
 * Those of some widgets that would keep room beside a layout: they share none with a document.
 *
 * @param all - where widgets are
 */
export function withoutDocument<W>(all: Area<W> | null, widgets: ReadonlySet<W>): readonly W[] {
  const areas = all === null ? [] : tabAreas(all);
  return areas.filter(area => area.widgets.every(each => widgets.has(each))).flatMap(area => area.widgets);
}

/** The same area with more tabs, behind those of its last one. */
export function withTabs<W>(area: Area<W>, more: readonly W[]): Area<W> {
  if (area.type === 'tab-area') {
    return { ...tabs(...area.widgets, ...more), currentIndex: area.currentIndex };
  }
  const last = area.children.length - 1;
  return { ...area, children: area.children.map((child, i) => (i === last ? withTabs(child, more) : child)) };
}

function tabAreas<W>(area: Area<W>): readonly TabArea<W>[] {
  return area.type === 'tab-area' ? [area] : area.children.flatMap(tabAreas);
}
