/** The decision where a new document goes; nothing here depends on JupyterLab. */

/** What is in the main area while a document is being opened. */
export interface MainArea<W> {
  /** The widgets of each tab bar. */
  readonly bars: readonly (readonly W[])[];
  /** The current widget: JupyterLab adds a document to its tab bar, and without one to the first tab bar. */
  readonly current: W | null;
  /** The document used last, which may have been closed. */
  readonly recent: W | null;
  isPane(widget: W): boolean;
}

/**
 * Where a new document covers no pane.
 *
 * @returns a document whose tab bar takes it, `'aside'` if only panes are open, `null` if JupyterLab's own place is right
 */
export function placeOfDocument<W>({ bars, current, recent, isPane }: MainArea<W>): W | 'aside' | null {
  const covered = current === null ? bars[0] : bars.find(bar => bar.includes(current));
  // A tab bar where the user has put panes and documents together is a place for documents.
  if (covered === undefined || !covered.every(isPane)) {
    return null;
  }
  const isDocument = (widget: W): boolean => !isPane(widget);
  if (recent !== null && isDocument(recent) && bars.some(bar => bar.includes(recent))) {
    return recent;
  }
  const bar = bars.find(other => other.every(isDocument)) ?? bars.find(other => other.some(isDocument));
  return bar?.find(isDocument) ?? 'aside';
}
