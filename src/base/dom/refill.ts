/** What can have the focus. */
const STOPS = 'button, a[href], [tabindex]';

/**
 * Replace the content of an element that shows figures of the present. What had the focus has it again, by its text; where that
 * has gone, the element itself has it, if it can: the keyboard goes on from there, and does not begin at the top of the page.
 */
export function refill(node: HTMLElement, content: readonly Node[]): void {
  const before = stopsOf(node);
  const at = before.findIndex(stop => stop === document.activeElement);
  const text = before[at]?.textContent;
  const earlier = before.slice(0, Math.max(at, 0)).filter(({ textContent }) => textContent === text).length;
  node.replaceChildren(...content);
  if (at >= 0 && content.length > 0) {
    const same = stopsOf(node).filter(({ textContent }) => textContent === text);
    (same[earlier] ?? same.at(-1) ?? node).focus({ preventScroll: true });
  }
}

function stopsOf(node: HTMLElement): HTMLElement[] {
  return [...node.querySelectorAll<HTMLElement>(STOPS)];
}
