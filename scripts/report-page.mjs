// Writes the page of reports, bridge/dask_panes/files/report.html: style, program and policy in one file that asks nothing
// of the network. `files/report.py` and the browser put the facts and the recording of a report into it.
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { ROOT } from './lib/environment.mjs';

/** Where the page goes; ignored by git, part of the package. */
export const PAGE = join(ROOT, 'bridge', 'dask_panes', 'files', 'report.html');
/** The style sheets of a report, in the order of their rules. */
const STYLES = [
  'report',
  'base',
  'pane',
  'views',
  'timeline',
  'timeline-controls',
  'event-marks',
  'selection',
  'flame',
  'recording',
  'graph',
  'advice'
];

/** Runs in the page: unpacks the program and lets the policy's hash decide whether it may run. */
const LOADER = `(async () => {
  const text = document.getElementById('dp-code').textContent;
  const bytes = Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const script = document.createElement('script');
  script.textContent = await new Response(stream).text();
  document.head.append(script);
})().catch(() => {
  document.getElementById('dp-wait').textContent = 'This report needs a browser of 2023 or later.';
});`;

/** A report runs without JupyterLab: reports the import, however indirect. */
const withoutJupyterLab = {
  name: 'without-jupyterlab',
  /**
   * @param {string} source
   * @param {string | undefined} importer
   */
  resolveId(source, importer) {
    if (/^@(jupyterlab|jupyter-widgets|lumino\/(widgets|dragdrop|commands))/.test(source)) {
      throw new Error(`${relative(ROOT, importer ?? '')} is in reports and must not import ${source}`);
    }
    return null;
  }
};

/**
 * The program as one script without imports.
 *
 * @returns {Promise<string>}
 * @throws Error when something of JupyterLab came along
 */
async function bundle() {
  const built = await rolldown({
    input: join(ROOT, 'src', 'report', 'index.ts'),
    plugins: [withoutJupyterLab],
    // Code that the summary does not need (Vega) is compiled when a plot requests it, not before anything is shown.
    optimization: { pifeForModuleWrappers: false }
  });
  const { output } = await built.generate({ format: 'iife', minify: true, codeSplitting: false });
  const [chunk, ...others] = output;
  if (others.length) {
    throw new Error("the report's program is more than one file");
  }
  return chunk.code.trim();
}

/** @returns {Promise<string>} the style sheets, without comments */
async function styles() {
  const texts = await Promise.all(STYLES.map(name => readFile(join(ROOT, 'style', `${name}.css`), 'utf8')));
  return texts
    .join('\n')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s*\n\s*/g, '\n')
    .trim();
}

/** @param {string} text */
function hash(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** @returns {Promise<string>} the page, with {@link FACTS} and {@link RECORDING} where the content goes */
async function page() {
  const [code, style] = await Promise.all([bundle(), styles()]);
  const policy = [
    "default-src 'none'",
    `script-src ${hash(code)} ${hash(LOADER)}`,
    `style-src ${hash(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'"
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Dask report</title>
<style>${style}</style>
</head>
<body>
<p id="dp-wait" class="dp-Report-problem">Loading the report …</p>
<noscript><p class="dp-Report-problem">This report needs JavaScript. It is all in this file; nothing is loaded from elsewhere.</p></noscript>
<script type="application/octet-stream" id="dp-code">${gzipSync(code, { level: 9 }).toString('base64')}</script>
<script type="application/json" id="dp-facts">@FACTS@</script>
<script type="application/octet-stream" id="dp-recording">@RECORDING@</script>
<script>${LOADER}</script>
</body>
</html>
`;
}

await mkdir(dirname(PAGE), { recursive: true });
await writeFile(PAGE, await page());
