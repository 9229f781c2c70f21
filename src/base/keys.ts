/**
 * Keep the keys that are pressed inside a part of an output from the notebook, which in command mode would delete the cell for
 * `d d` and run it for Enter.
 *
 * Lumino looks for the attribute from the element with the focus upwards and ends at the first element that a shortcut's
 * selector matches. The selectors of the notebook match the focused element itself, so it needs the attribute, too.
 */
export function keepKeys(node: HTMLElement): void {
  node.dataset.lmSuppressShortcuts = 'true';
  node.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement || target instanceof SVGElement) {
      target.dataset.lmSuppressShortcuts = 'true';
    }
  });
}
