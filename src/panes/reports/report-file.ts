/** A report file as the browser writes it: the page from the build, with facts and recording inserted. */
import type { Translate } from '../../plot/plot';

/** Facts of a report from the kernel; `docs/report.md` lists them. */
export type ReportContent = Readonly<Record<string, unknown>>;

/** URL of the report page: the build copies it next to the extension. */
export function reportPageUrl(): string {
  return new URL('../../../bridge/dask_panes/files/report.html', import.meta.url).href;
}

/** JSON that cannot end a script element or start markup, whatever texts it contains. */
export function scriptJson(value: unknown): string {
  const escapes: Readonly<Record<string, string>> = { '&': '\\u0026', '<': '\\u003c', '>': '\\u003e' };
  return JSON.stringify(value).replace(/[&<>]/g, sign => escapes[sign]);
}

/**
 * Fill the page.
 *
 * @param page - `report.html` as built
 * @param recording - parts of the recording in base64, each except the last a multiple of three bytes
 * @throws Error with a message for users if the page is invalid
 */
export function reportFile(page: string, facts: ReportContent, recording: readonly string[], trans: Translate): string {
  const [head, rest] = split(page, '@FACTS@', trans);
  const [between, tail] = split(rest, '@RECORDING@', trans);
  return [head, scriptJson(facts), between, ...recording, tail].join('');
}

/** `dask-report-analysis-20261121-104407.html`; characters that a file system may reject become dashes. */
export function reportName(notebook: string, now: Date): string {
  const stem = notebook
    .replace(/\.[a-z]+$/i, '')
    .replace(/[^\p{L}\p{N}_-]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    // Half of a letter is no text that a server takes.
    .replace(/[\ud800-\udbff]$/, '');
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  const time = `${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
  return `dask-report${stem === '' ? '' : `-${stem}`}-${day}-${time}.html`;
}

function split(text: string, mark: string, trans: Translate): readonly [string, string] {
  const at = text.indexOf(mark);
  if (at < 0) {
    throw new Error(trans.__('The page of reports is not the one of this version: reload JupyterLab.'));
  }
  return [text.slice(0, at), text.slice(at + mark.length)];
}
