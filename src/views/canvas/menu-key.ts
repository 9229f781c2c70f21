/**
 * Reads whether the context menu of an element was last asked for by a key: then it is about what the keyboard has reached, and the
 * position of its event means nothing.
 */
export function menuKeyOf(node: HTMLElement, signal: AbortSignal): () => boolean {
  let pressed = false;
  node.addEventListener(
    'keydown',
    ({ key, shiftKey }) => {
      pressed = key === 'ContextMenu' || (key === 'F10' && shiftKey);
    },
    { signal }
  );
  node.addEventListener(
    'pointerdown',
    () => {
      pressed = false;
    },
    { signal }
  );
  return () => pressed;
}
