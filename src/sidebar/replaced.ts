/**
 * Let elements that were replaced in a list give the focus to what is in their place. A dialog or a menu gives it back to the element
 * that had it before, which may have been drawn again meanwhile.
 *
 * @param replaced - elements, each with a function that finds what is in its place when it is called
 */
export function forwardFocus(list: HTMLElement, replaced: ReadonlyMap<HTMLElement, () => HTMLElement | undefined>): void {
  for (const [old, place] of replaced) {
    // Some are drawn once, and only put into another row.
    if (!list.contains(old)) {
      old.focus = options => place()?.focus(options);
    }
  }
}
