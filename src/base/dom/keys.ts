/**
 * Hide keys pressed in an output from the notebook, which in command mode would delete the cell for `d d` and run it for
 * Enter.
 *
 * Lumino searches for the attribute from the focused element upwards, up to the first element that matches a shortcut's
 * selector. The notebook's selectors match the focused element itself, so it needs the attribute too.
 */
export function keepKeys(node: HTMLElement): void {
  node.dataset.lmSuppressShortcuts = 'true';
  node.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement || target instanceof SVGElement) {
      target.dataset.lmSuppressShortcuts = 'true';
    }
  });
}
