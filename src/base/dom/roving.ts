/** Keys that go back and on. */
const KEYS = { column: ['ArrowUp', 'ArrowDown'], row: ['ArrowLeft', 'ArrowRight'] } as const;

/**
 * One Tab stop for a list, arrow keys inside it (WAI-ARIA authoring practices, roving tabindex). Rows are the elements that
 * match a selector when a key is pressed, so a list may be redrawn at any time.
 *
 * @param direction - `row` for elements side by side
 */
export function makeRoving(list: HTMLElement, selector: string, direction: keyof typeof KEYS = 'column'): void {
  const rows = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>(selector)];
  list.addEventListener('focusin', event => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>(selector) : null;
    if (row) {
      settle(rows(), row);
    }
  });
  list.addEventListener('keydown', event => {
    const all = rows();
    const at = event.target instanceof Element ? all.indexOf(event.target as HTMLElement) : -1;
    const to = at < 0 ? -1 : target(event.key, KEYS[direction], at, all.length);
    if (to >= 0) {
      event.preventDefault();
      all[to].focus();
    }
  });
}

/** Make a row the Tab stop; the first if it is not in the list. */
export function settle(rows: readonly HTMLElement[], row: HTMLElement | undefined): void {
  const chosen = row && rows.includes(row) ? row : rows[0];
  for (const other of rows) {
    const index = other === chosen ? 0 : -1;
    if (other.tabIndex !== index) {
      other.tabIndex = index;
    }
  }
}

function target(key: string, [back, on]: readonly [string, string], at: number, count: number): number {
  switch (key) {
    case on:
      return Math.min(count - 1, at + 1);
    case back:
      return Math.max(0, at - 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return -1;
  }
}
