import type { ViewMenuItem } from '../views/view';

/** A menu item created when the menu opens; `null` draws a separator. */
export type MenuItem = ViewMenuItem;
