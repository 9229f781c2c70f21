/**
 * Copy text to the clipboard. Works on plain http too, where browsers have no `navigator.clipboard`.
 *
 * @throws Error if the browser refuses
 */
export async function copyText(text: string): Promise<void> {
  // Its type does not say so: undefined on plain http.
  const { clipboard } = navigator as Partial<Navigator>;
  if (clipboard !== undefined) {
    await clipboard.writeText(text);
  } else if (!copySelected(text)) {
    throw new Error('The browser did not copy');
  }
}

/** Copy from a text area, as Ctrl+C does. */
function copySelected(text: string): boolean {
  const area = document.createElement('textarea');
  const focused = document.activeElement;
  area.value = text;
  area.style.cssText = 'position: fixed; top: 0; opacity: 0';
  document.body.append(area);
  area.select();
  try {
    return document.execCommand('copy');
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) {
      focused.focus({ preventScroll: true });
    }
  }
}
