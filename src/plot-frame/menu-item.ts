/** A menu item created when the menu opens; `null` draws a separator. */
export interface MenuItem {
  /** Text; may come from a cluster. */
  readonly label: string;
  readonly checked?: boolean;
  readonly enabled?: boolean;
  run(): void;
}
