import { MenuSvg } from '@jupyterlab/ui-components';
import { CommandRegistry } from '@lumino/commands';
import { DisposableDelegate, DisposableSet, type IDisposable } from '@lumino/disposable';
import { h, VirtualElement } from '@lumino/virtualdom';
import type { Menu } from '@lumino/widgets';
import { wantsBrowserMenu } from '../../base/dom/browser-menu';
import type { CssPixels } from '../../base/units';
import type { MenuItem } from '../../plot-frame/menu-item';
import { swatchOf } from '../../plot-frame/legend';
import { closePopoverOf } from '../../plot-frame/popover';

/** Where a menu opens, in coordinates of the browser's window. */
export interface MenuPlace {
  readonly x: CssPixels;
  readonly y: CssPixels;
}

/** Draws the colour of an item before its text; commands are numbered as the items are. */
class SwatchRenderer extends MenuSvg.Renderer {
  constructor(private readonly items: readonly (MenuItem | null)[]) {
    super();
  }

  override renderLabel(data: Menu.IRenderData): VirtualElement {
    const swatch = this.items[Number(data.item.command)]?.swatch;
    if (data.item.command === '' || swatch === undefined) {
      return super.renderLabel(data);
    }
    const render = (host: HTMLElement): void => host.replaceChildren(swatchOf(swatch));
    return h.div(
      { className: 'lm-Menu-itemLabel' },
      new VirtualElement('span', { className: 'dp-Menu-swatch' }, [], { render }),
      this.formatLabel(data)
    );
  }
}

/** A menu of these items; `null` is a line. */
function makeMenu(items: readonly (MenuItem | null)[]): MenuSvg {
  const menu = new MenuSvg({ commands: new CommandRegistry(), renderer: new SwatchRenderer(items) });
  menu.addClass('dp-Menu');
  fillMenu(menu, items);
  return menu;
}

/** Add items to a menu that has commands of its own; `null` is a line. Dispose of the result to remove them. */
export function fillMenu(menu: Menu, items: readonly (MenuItem | null)[]): IDisposable {
  const { commands } = menu;
  const added = DisposableSet.from([new DisposableDelegate(() => menu.clearItems())]);
  for (const [i, item] of items.entries()) {
    if (item === null) {
      menu.addItem({ type: 'separator' });
      continue;
    }
    const command = String(i);
    added.add(
      commands.addCommand(command, {
        label: item.label,
        isToggled: () => item.checked ?? false,
        isToggleable: item.checked !== undefined,
        isEnabled: () => item.enabled ?? true,
        execute: () => item.run()
      })
    );
    menu.addItem({ command });
  }
  return added;
}

/** Open a menu under an element, or at a place; focus goes back to the element, or to what had it, when the menu closes. */
export function openMenu(items: readonly (MenuItem | null)[], anchor: HTMLElement, place?: MenuPlace): void {
  const menu = makeMenu(items);
  const button = place === undefined ? anchor : null;
  opened = { menu, anchor };
  const before = document.activeElement;
  menu.aboutToClose.connect(() => {
    opened = opened?.menu === menu ? null : opened;
    button?.setAttribute('aria-expanded', 'false');
    // Before the command runs: a dialog goes back to where it was opened.
    if (menu.node.contains(document.activeElement)) {
      (button ?? (before instanceof HTMLElement ? before : null))?.focus({ preventScroll: true });
    }
    // The command runs after the menu has closed.
    setTimeout(() => menu.dispose(), 0);
  });
  const { left, bottom } = anchor.getBoundingClientRect();
  button?.setAttribute('aria-haspopup', 'menu');
  button?.setAttribute('aria-expanded', 'true');
  menu.open(place?.x ?? left, place?.y ?? bottom);
}

/** Close the menu, and all else, that was opened at a part of an element that is not visible any more. */
export function closeMenusOf(element: HTMLElement): void {
  if (opened !== null && element.contains(opened.anchor)) {
    opened.menu.close();
  }
  closePopoverOf(element);
}

let opened: { readonly menu: Menu; readonly anchor: HTMLElement } | null = null;

/** Where the browser's own menu is more useful than that of the pane. */
const BROWSERS = 'input, textarea, select, a[href], [contenteditable="true"]';

/** Call `open` for a right click, or the key for menus, where nothing inside has a menu of its own. */
export function onContextMenu(node: HTMLElement, open: (place: MenuPlace) => void): void {
  node.addEventListener('contextmenu', event => {
    const { target } = event;
    const selected = document.getSelection();
    const copies = selected?.isCollapsed === false && target instanceof Node && selected.getRangeAt(0).intersectsNode(target);
    if (event.defaultPrevented || wantsBrowserMenu(event) || copies || (target instanceof Element && target.closest(BROWSERS))) {
      return;
    }
    event.preventDefault();
    // JupyterLab would open its own menu.
    event.stopPropagation();
    open({ x: event.clientX, y: event.clientY });
  });
}
