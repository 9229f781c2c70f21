import { element } from '../base/element';
import type { CssPixels } from '../base/units';

const GAP: CssPixels = 4;
const MARGIN: CssPixels = 8;

/**
 * Show content at an element until the user presses Escape, clicks elsewhere, moves the focus, or presses the element again. One at a
 * time.
 *
 * @returns a function that closes it
 */
export function openPopover(anchor: HTMLElement, label: string, content: readonly Node[]): () => void {
  const again = open?.anchor === anchor;
  open?.close();
  if (again) {
    return () => undefined;
  }
  const node = element(
    'div',
    { class: 'dp-Popover', role: 'dialog', attributes: { 'aria-label': label, tabindex: '-1' } },
    ...content
  );
  // Content that is loaded later makes it higher.
  const sized = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(() => place(node, anchor));
  const close = (): void => {
    sized?.disconnect();
    document.removeEventListener('pointerdown', onPointer, true);
    node.remove();
    anchor.setAttribute('aria-expanded', 'false');
    open = open?.close === close ? null : open;
  };
  const onPointer = (event: Event): void => {
    if (event.target instanceof Node && !node.contains(event.target) && !anchor.contains(event.target)) {
      close();
    }
  };
  node.addEventListener('keydown', event => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      close();
      anchor.focus();
    }
  });
  node.addEventListener('focusout', ({ relatedTarget: next }) => {
    // A press of the anchor gives it the focus, and closes by its click.
    if (next instanceof Node && !node.contains(next) && !anchor.contains(next)) {
      close();
    }
  });
  document.addEventListener('pointerdown', onPointer, true);
  document.body.appendChild(node);
  place(node, anchor);
  sized?.observe(node);
  anchor.setAttribute('aria-expanded', 'true');
  node.focus();
  open = { anchor, close };
  return close;
}

/** Close what was shown at a part of an element that is not visible any more. */
export function closePopoverOf(element: HTMLElement): void {
  if (open !== null && element.contains(open.anchor)) {
    open.close();
  }
}

function place(node: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect();
  const { width, height } = node.getBoundingClientRect();
  const left = Math.max(MARGIN, Math.min(at.right - width, window.innerWidth - width - MARGIN));
  const below = at.bottom + GAP;
  const top = below + height > window.innerHeight - MARGIN ? Math.max(MARGIN, at.top - GAP - height) : below;
  node.style.left = `${left}px`;
  node.style.top = `${top}px`;
}

let open: { readonly anchor: HTMLElement; readonly close: () => void } | null = null;
