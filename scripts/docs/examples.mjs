// src/panes/examples/pictures.ts: where the pictures of "How to read this plot" are.

/** Of a picture, in CSS pixels. */
export const EXAMPLE_SIZE = { width: 380, height: 264 };
/** The most that all pictures may have together: they are in every wheel. */
export const MOST_EXAMPLE_BYTES = 500_000;

/**
 * @param {string} plot
 * @param {'light' | 'dark'} scheme
 */
export function exampleFile(plot, scheme) {
  return `${plot}-${scheme}.webp`;
}

/**
 * @param {readonly { readonly id: string }[]} plots
 * @param {ReadonlySet<string>} files - in style/pictures
 */
export function examplePictures(plots, files) {
  const entries = plots.flatMap(({ id }) => {
    const [light, dark] = [exampleFile(id, 'light'), exampleFile(id, 'dark')];
    return files.has(light) ? [`  ['${id}', [${url(light)}, ${url(files.has(dark) ? dark : light)}]]`] : [];
  });
  return [
    '// Generated from style/pictures by `npm run docs:pages`. Do not edit.',
    '',
    '/** Size of each picture in CSS pixels. */',
    `export const EXAMPLE_SIZE = { width: ${EXAMPLE_SIZE.width}, height: ${EXAMPLE_SIZE.height} } as const;`,
    '',
    '/** URLs of the pictures by plot, light and dark. The bundler copies the files; a browser loads those that it shows. */',
    'export const EXAMPLE_PICTURES: ReadonlyMap<string, readonly [light: string, dark: string]> = new Map([',
    entries.join(',\n'),
    ']);',
    ''
  ].join('\n');
}

/** @param {string} file */
function url(file) {
  return `new URL('../../../style/pictures/${file}', import.meta.url).href`;
}
