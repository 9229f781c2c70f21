/**
 * The calls of JupyterLab's translation, without JupyterLab: shared rooms take whatever has them. Texts are literals at
 * the call, so that tools can collect them.
 */

/** JupyterLab's `TranslationBundle`, as far as it is used here. */
export interface Translate {
  /**
   * Translate a text.
   *
   * @param args - replace `%1`, `%2` …
   */
  __(text: string, ...args: readonly (string | number)[]): string;
  /**
   * Translate a text with a count, in the plural form that the user's language has for it.
   *
   * @param one - the English text for 1
   * @param many - the English text for other counts
   * @param count - replaces `%1`, unformatted
   * @param args - replace `%2`, `%3` …; the first is usually the formatted count
   */
  _n(one: string, many: string, count: number, ...args: readonly (string | number)[]): string;
}

/** No translation: the texts of reports and tests. */
export const english: Translate = {
  __: (text, ...args) => filled(text, args),
  _n: (one, many, count, ...args) => filled(count === 1 ? one : many, [count, ...args])
};

/**
 * Translate a text of the catalogue: a title, caption or label of a plot, an option or a layout. They are not literals at the
 * call. Another extension's texts come back as they are: it may have translated them.
 */
export function catalogueText(trans: Translate, text: string): string {
  return trans.__(text);
}

function filled(text: string, args: readonly (string | number)[]): string {
  return text.replaceAll(/%(\d+)/g, (placeholder, position) => String(args[Number(position) - 1] ?? placeholder));
}
