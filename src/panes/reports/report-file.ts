/** A report file as the browser writes it: the page that the build made, with facts and recording put in. */

/** Facts of a report as the kernel tells them; `docs/report.md` lists them. */
export type ReportContent = Readonly<Record<string, unknown>>;

/** Where the page of reports is served: the build copies it beside the extension. */
export function reportPageUrl(): string {
  return new URL('../../../bridge/dask_panes/files/report.html', import.meta.url).href;
}

/** JSON that ends no script element and starts no markup, whatever texts it has. */
export function scriptJson(value: unknown): string {
  const escapes: Readonly<Record<string, string>> = { '&': '\\u0026', '<': '\\u003c', '>': '\\u003e' };
  return JSON.stringify(value).replace(/[&<>]/g, sign => escapes[sign]);
}

/**
 * Fill the page.
 *
 * @param page - `report.html` as it was built
 * @param recording - parts of the recording in base64, each of a multiple of three bytes but the last
 * @throws Error when the page is none
 */
export function reportFile(page: string, facts: ReportContent, recording: readonly string[]): string {
  const [head, rest] = split(page, '@FACTS@');
  const [between, tail] = split(rest, '@RECORDING@');
  return [head, scriptJson(facts), between, ...recording, tail].join('');
}

/** `dask-report-analysis-20261121-104407.html`; anything that a file system could take amiss becomes a dash. */
export function reportName(notebook: string, now: Date): string {
  const stem = notebook
    .replace(/\.[a-z]+$/i, '')
    .replace(/[^\p{L}\p{N}_-]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  const time = `${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
  return `dask-report${stem === '' ? '' : `-${stem}`}-${day}-${time}.html`;
}

function split(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark);
  if (at < 0) {
    throw new Error('The page of reports is not the one of this version: reload JupyterLab.');
  }
  return [text.slice(0, at), text.slice(at + mark.length)];
}
