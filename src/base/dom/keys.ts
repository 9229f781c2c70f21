const SUPPRESSED = 'data-lm-suppress-shortcuts';

let shortcuts = (): boolean => false;

/** From now on keys of pictures are those of the page's shortcuts while `bound` says so. */
export function useShortcuts(bound: () => boolean): void {
  shortcuts = bound;
}

/** Whether the page's shortcuts apply to an element, and do what its keys do. */
export function byShortcuts(node: Element): boolean {
  return node.closest(`[${SUPPRESSED}]`) === null && shortcuts();
}

/**
 * Hide keys pressed in an output from the notebook, which in command mode would delete the cell for `d d` and run it for
 * Enter.
 *
 * Lumino searches for the attribute from the focused element upwards, up to the first element that matches a shortcut's
 * selector. The notebook's selectors match the focused element itself, so it needs the attribute too.
 */
export function keepKeys(node: HTMLElement): void {
  node.setAttribute(SUPPRESSED, 'true');
  node.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement || target instanceof SVGElement) {
      target.setAttribute(SUPPRESSED, 'true');
    }
  });
}
