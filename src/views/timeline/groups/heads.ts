import { wantsBrowserMenu } from '../../../base/dom/browser-menu';
import { element, setAttribute } from '../../../base/element';
import type { CssPixels } from '../../../base/units';
import { selectionOf } from '../../../run/selection/selection';
import type { ViewHost, ViewMenuItem } from '../../view';
import type { Arrangement } from '../lanes/arrangement';
import type { HostLanes, WorkerLanes } from '../lanes/lanes';
import type { Stage } from '../stage';

/** What a head is of: a worker, or a host with its workers. */
export type Head = { readonly worker: WorkerLanes } | { readonly host: HostLanes };

/**
 * Pointer and keyboard on the names of workers and hosts: a click or Enter draws the lanes as one or each by itself, P pins a
 * worker to the top, the context menu has these and what concerns all. One head is in the order of focus, arrow keys reach
 * the others, as in every tree.
 */
export class Heads {
  /**
   * @param changed - called to lay out again
   * @param signal - aborted when the heads go
   * @param stage - scrolls the lanes to heads beyond the window
   */
  constructor(
    private readonly host: Pick<ViewHost, 'trans' | 'menu' | 'run'>,
    private readonly arrangement: Arrangement,
    private readonly changed: () => void,
    signal: AbortSignal,
    private readonly stage: Pick<Stage, 'scrollLanes'> = { scrollLanes: () => 0 }
  ) {
    const { node } = this;
    setAttribute(node, 'aria-label', host.trans.__('Workers'));
    node.addEventListener('click', event => this.withHead(event, head => this.toggle(head)), { signal });
    node.addEventListener('keydown', event => this.withHead(event, (head, target) => this.onKey(event, head, target)), {
      signal
    });
    node.addEventListener('contextmenu', event => this.withHead(event, (head, target) => this.onMenu(event, head, target)), {
      signal
    });
  }

  /** Spans the whole view for the rules of hosts; transparent to the pointer except for the names. */
  readonly node = element('div', { class: 'dp-Timeline-gutter', role: 'tree' });

  /** Open the menu of what concerns all, under an element. */
  open(anchor: HTMLElement): void {
    this.host.menu?.(this.items(null), anchor);
  }

  /** Make an element the head of a worker or a host. */
  set(node: HTMLElement, head: Head): void {
    this.heads.set(node, head);
    const collapsed = this.isCollapsed(head);
    const host = 'host' in head;
    setAttribute(node, 'role', 'treeitem');
    setAttribute(node, 'aria-level', host ? '1' : '2');
    if (host && head.host.pinned) {
      node.removeAttribute('aria-expanded');
    } else {
      setAttribute(node, 'aria-expanded', String(!collapsed));
    }
  }

  /**
   * All heads are set: one of them is reached with Tab.
   *
   * @param gone - the head that had the focus and is there no longer; the nearest to it takes over
   * @param changed - whether there are others, or elsewhere, than the last time
   */
  settle(gone: HTMLElement | null = null, changed = true): void {
    if (!changed && gone === null && this.ahead === 0 && document.activeElement === this.active) {
      return;
    }
    const list = this.list();
    const at = list.indexOf(document.activeElement as HTMLElement);
    const next = gone === null && (at < 0 || this.ahead === 0) ? undefined : this.nextOf(list, list[at] ?? null, gone);
    this.ahead = this.scrolled = 0;
    const entry = next ?? list[at] ?? list.find(each => each.tabIndex === 0) ?? list[0];
    for (const each of list) {
      setAttribute(each, 'tabindex', each === entry ? '0' : '-1');
    }
    next?.focus({ preventScroll: true });
    this.active = document.activeElement;
  }

  /** Where the focus goes from a head, or from where one was that has gone. */
  private nextOf(list: readonly HTMLElement[], from: HTMLElement | null, gone: HTMLElement | null): HTMLElement | undefined {
    const top = from !== null ? topOf(from) : gone !== null ? topOf(gone) - this.scrolled : 0;
    return beside(list, top, this.ahead) ?? (gone === null ? undefined : beside(list, top, 0));
  }

  isCollapsed(head: Head): boolean {
    const { groups } = this.arrangement;
    return 'host' in head ? head.host.collapsed === true : groups.isCollapsed(this.addressOf(head.worker));
  }

  toggle(head: Head): void {
    const { groups } = this.arrangement;
    if ('worker' in head) {
      groups.toggleWorker(this.addressOf(head.worker));
    } else if (!head.host.pinned) {
      groups.toggleHost(head.host.host);
    }
    this.changed();
  }

  /** What can be done with a head, and with all; `null` is a separator. */
  items(head: Head | null): readonly (ViewMenuItem | null)[] {
    const { trans } = this.host;
    const { groups } = this.arrangement;
    const item = (label: string, act: () => void, enabled = true): ViewMenuItem => ({
      label,
      enabled,
      run: () => {
        act();
        this.changed();
      }
    });
    const hosts = this.arrangement.hosts.filter(({ pinned }) => !pinned);
    return [
      ...(head === null ? [] : [...this.itemsOf(head, item), null]),
      item(trans.__('One row per worker'), () => groups.collapse('workers')),
      item(trans.__('One row per host'), () => groups.collapse('hosts'), hosts.length > 1),
      item(trans.__('A row for each thread'), () => groups.collapse('none')),
      null,
      item(trans.__('Unpin all workers'), () => groups.unpin(), groups.pinned.size > 0)
    ];
  }

  private itemsOf(head: Head, item: (label: string, act: () => void) => ViewMenuItem): readonly ViewMenuItem[] {
    const { trans } = this.host;
    const { groups } = this.arrangement;
    const toggle = (): void => this.toggle(head);
    const workers = 'host' in head ? this.arrangement.workersOn(head.host.host) : [head.worker];
    const select = item(trans.__('Select its tasks in all panes'), () =>
      selectionOf(this.host.run).select({ workers: workers.map(worker => this.addressOf(worker)) })
    );
    if ('host' in head) {
      const collapsed = head.host.collapsed === true;
      return head.host.pinned
        ? []
        : [select, item(collapsed ? trans.__('Show its workers') : trans.__('Draw its workers as one'), toggle)];
    }
    const address = this.addressOf(head.worker);
    const pinned = groups.pinned.has(address);
    return [
      select,
      item(pinned ? trans.__('Unpin (P)') : trans.__('Pin to the top (P)'), () => groups.togglePinned(address)),
      item(groups.isCollapsed(address) ? trans.__('Show its threads (C)') : trans.__('Draw its threads as one (C)'), toggle)
    ];
  }

  private onMenu(event: MouseEvent, head: Head, target: HTMLElement): void {
    const { host } = this;
    if (host.menu !== undefined && !wantsBrowserMenu(event)) {
      event.preventDefault();
      // JupyterLab would open its own menu.
      event.stopPropagation();
      host.menu(this.items(head), target, { x: event.clientX, y: event.clientY });
    }
  }

  private onKey(event: KeyboardEvent, head: Head, target: HTMLElement): void {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const list = this.list();
    const at = list.indexOf(target);
    const collapsed = this.isCollapsed(head);
    const step = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: list.length - 1 }[event.key];
    if (step !== undefined) {
      if (step < 0 || step >= list.length) {
        // The next one, if there is any, is known once its lanes are in view.
        this.ahead = step < 0 ? -1 : 1;
        this.scrolled = this.stage.scrollLanes(this.ahead);
      } else {
        list[step].focus();
        this.settle();
      }
    } else if (event.key === 'Enter' || event.key === ' ' || event.key === (collapsed ? 'ArrowRight' : 'ArrowLeft')) {
      this.toggle(head);
    } else if (event.code === 'KeyP' && 'worker' in head) {
      this.arrangement.groups.togglePinned(this.addressOf(head.worker));
      this.changed();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** From top to bottom. */
  private list(): HTMLElement[] {
    return [...this.node.children]
      .filter((child): child is HTMLElement => child instanceof HTMLElement && this.heads.has(child))
      .sort((a, b) => topOf(a) - topOf(b));
  }

  private withHead(event: Event, act: (head: Head, target: HTMLElement) => void): void {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[role="treeitem"]') : null;
    const head = target === null ? undefined : this.heads.get(target);
    if (target !== null && head !== undefined) {
      act(head, target);
    }
  }

  private addressOf({ worker }: WorkerLanes): string {
    return this.arrangement.addressOf(worker);
  }

  /** Where the focus goes from the head that has it, once other lanes are in view. */
  private ahead: 1 | 0 | -1 = 0;
  /** What had the focus when they were settled. */
  private active: Element | null = null;
  /** How far the lanes were scrolled for that. */
  private scrolled: CssPixels = 0;
  private readonly heads = new WeakMap<HTMLElement, Head>();
}

function topOf({ style }: HTMLElement): CssPixels {
  return Number.parseFloat(style.top);
}

/** The first head below a place (1), the last above it (-1), or the nearest to it (0). */
function beside(list: readonly HTMLElement[], top: CssPixels, side: 1 | 0 | -1): HTMLElement | undefined {
  const away = (head: HTMLElement): CssPixels => (side === 0 ? Math.abs(topOf(head) - top) : (topOf(head) - top) * side);
  return list.filter(head => side === 0 || away(head) > 0).sort((a, b) => away(a) - away(b))[0];
}
