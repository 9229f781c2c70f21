import { MenuSvg } from '@jupyterlab/ui-components';
import { CommandRegistry } from '@lumino/commands';
import type { MenuItem } from '../../plot-frame/menu-item';

/** Open a menu under an element; focus goes back to it when the menu closes. */
export function openMenu(items: readonly (MenuItem | null)[], anchor: HTMLElement): void {
  const commands = new CommandRegistry();
  const menu = new MenuSvg({ commands });
  menu.addClass('dp-Menu');
  for (const [i, item] of items.entries()) {
    if (item === null) {
      menu.addItem({ type: 'separator' });
      continue;
    }
    const command = String(i);
    commands.addCommand(command, {
      label: item.label,
      isToggled: () => item.checked ?? false,
      isToggleable: item.checked !== undefined,
      isEnabled: () => item.enabled ?? true,
      execute: () => item.run()
    });
    menu.addItem({ command });
  }
  menu.aboutToClose.connect(() => {
    anchor.setAttribute('aria-expanded', 'false');
    // The command runs after the menu has closed.
    setTimeout(() => menu.dispose(), 0);
  });
  const { left, bottom } = anchor.getBoundingClientRect();
  anchor.setAttribute('aria-haspopup', 'menu');
  anchor.setAttribute('aria-expanded', 'true');
  menu.open(left, bottom);
}
