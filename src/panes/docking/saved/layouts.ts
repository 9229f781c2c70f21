/**
 * Layouts that users and sites have saved in the settings. What is read may be written by hand: it is validated and bounded,
 * and what is wrong with it is said.
 */
import type { ReadonlyJSONObject } from '@lumino/coreutils';
import { isMap, listOf, messageOf } from '../../../base/untrusted';
import type { Translate } from '../../../plot/plot';
import { type PaneArgs, type PaneLook, readPaneArgs, writePaneArgs } from '../../pane/pane-args';
import { type Area, mapArea, split } from '../dock-tree';
import type { PaneLayout } from '../layouts';

/** Longest title, in characters. */
export const LONGEST_TITLE = 60;
/** Panes of one layout, areas within each other, and layouts. */
const MOST = { panes: 60, depth: 16, layouts: 100 } as const;

/** What a layout keeps of a pane: what it shows, not of which client. */
export type LayoutPane = PaneLook & Pick<PaneArgs, 'plot'>;

/** A layout by its title. */
export interface SavedLayout {
  readonly title: string;
  readonly area: Area<LayoutPane>;
}

/** Layouts of the settings. */
export interface ReadLayouts {
  readonly layouts: readonly SavedLayout[];
  /** One sentence for each layout that cannot be used. */
  readonly problems: readonly string[];
}

/**
 * Read the layouts of the settings.
 *
 * @param sources - values of the setting: of the site, then of the user, whose layouts replace those of the same title;
 *   `null` instead of a layout removes it
 */
export function readLayouts(sources: readonly unknown[], trans: Translate): ReadLayouts {
  const layouts = new Map<string, SavedLayout>();
  const problems: string[] = [];
  let left = 0;
  for (const source of sources) {
    for (const [title, value] of isMap(source) ? Object.entries(source) : []) {
      const name = title.trim();
      layouts.delete(name);
      try {
        const area = value === null ? null : new Reader(trans).read(value);
        if (area !== null && layouts.size < MOST.layouts) {
          layouts.set(name, { title: checkedTitle(name, trans), area });
        } else {
          left += area === null ? 0 : 1;
        }
      } catch (error) {
        problems.push(
          trans.__('The layout "%1" of the settings cannot be used: %2', title.slice(0, LONGEST_TITLE), messageOf(error))
        );
      }
    }
  }
  if (left > 0) {
    problems.push(tooMany(trans));
  }
  return { layouts: [...layouts.values()], problems };
}

/**
 * A title without spaces around it.
 *
 * @throws Error if it is empty or too long
 */
export function checkedTitle(title: string, trans: Translate): string {
  const trimmed = title.trim();
  if (trimmed === '' || trimmed.length > LONGEST_TITLE) {
    throw new Error(trans.__('A name has 1 to %1 characters.', LONGEST_TITLE));
  }
  return trimmed;
}

/**
 * Check that another layout is read again once it is saved.
 *
 * @param count - layouts that there are, without one of the same title
 * @throws Error if there are too many
 */
export function checkCount(count: number, trans: Translate): void {
  if (count >= MOST.layouts) {
    throw new Error(tooMany(trans));
  }
}

function tooMany(trans: Translate): string {
  return trans.__('At most %1 saved layouts are listed: remove one.', MOST.layouts);
}

/** An area as it is written in the settings. */
export function writeArea(area: Area<LayoutPane>): ReadonlyJSONObject {
  return area.type === 'tab-area'
    ? { type: area.type, widgets: area.widgets.map(writePane), currentIndex: area.currentIndex }
    : { type: area.type, orientation: area.orientation, children: area.children.map(writeArea), sizes: [...area.sizes] };
}

/** The layout to place. A second pane of a plot is "profile#2" in its list. */
export function paneLayout(id: string, { title, area }: SavedLayout, trans: Translate): PaneLayout {
  const panes = new Map<string, LayoutPane>();
  const keyed = mapArea(area, pane => {
    let key = pane.plot;
    for (let number = 2; panes.has(key); number++) {
      key = `${pane.plot}#${number}`;
    }
    panes.set(key, pane);
    return key;
  });
  return {
    ...{ id, title, caption: trans.__('Saved layout'), saved: true, plots: [...panes.keys()] },
    look: key => lookOf(panes.get(key)),
    arrange: pane => mapArea(keyed, pane)
  };
}

function lookOf(pane: LayoutPane | undefined): PaneLook {
  const { options = {}, hidden = [], table = false, legend = true } = pane ?? {};
  return { options, hidden, table, legend };
}

function writePane(pane: LayoutPane): ReadonlyJSONObject {
  const { plot, options, hidden, table, legend } = writePaneArgs({ ...pane, number: 1, binding: { follow: true }, saved: {} });
  return { plot, options, hidden, table, legend };
}

/** Reads one area of unknown origin; methods throw an Error that says what is wrong. */
class Reader {
  constructor(private readonly trans: Translate) {}

  read(value: unknown, depth = 0): Area<LayoutPane> {
    const { trans } = this;
    if (!isMap(value) || depth > MOST.depth) {
      throw new Error(trans.__('It has no area, or areas more than %1 deep.', MOST.depth));
    }
    if (value.type === 'tab-area') {
      const widgets = this.list(value.widgets).map(pane => this.pane(pane));
      const { currentIndex } = value;
      const front = typeof currentIndex === 'number' && currentIndex in widgets ? currentIndex : 0;
      return { type: 'tab-area', widgets, currentIndex: front };
    }
    if (value.type !== 'split-area' || (value.orientation !== 'horizontal' && value.orientation !== 'vertical')) {
      throw new Error(trans.__('An area is neither a "tab-area" nor a "split-area" with an orientation.'));
    }
    const children = this.list(value.children).map(child => this.read(child, depth + 1));
    const sizes = listOf(value.sizes);
    return split(
      value.orientation,
      children.map((child, i) => [child, this.size(sizes[i])])
    );
  }

  private list(value: unknown): readonly unknown[] {
    const items = listOf(value);
    if (items.length === 0 || items.length > MOST.panes) {
      throw new Error(this.trans.__('An area has no panes, or more than %1.', MOST.panes));
    }
    return items;
  }

  private size(value: unknown): number {
    if (typeof value !== 'number' || !(value > 0 && value < 1e6)) {
      throw new Error(this.trans.__('An area has a size that is not a number above 0.'));
    }
    return value;
  }

  private pane(value: unknown): LayoutPane {
    this.panes += 1;
    const given = typeof value === 'string' ? { plot: value } : value;
    if (!isMap(given) || typeof given.plot !== 'string' || this.panes > MOST.panes) {
      throw new Error(this.trans.__('A pane has no plot, or there are more than %1.', MOST.panes));
    }
    const { plot, options, hidden, table, legend } = readPaneArgs(given);
    return { plot, options: options ?? {}, hidden: hidden ?? [], table: table === true, legend: legend !== false };
  }

  private panes = 0;
}
