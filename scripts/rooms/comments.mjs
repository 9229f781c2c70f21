// Lines of comments that the formatter does not see: it leaves comments as they are.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GENERATED } from './sizes.mjs';
import { sourcesIn } from './sources.mjs';

/** A word more than the formatter's width of code. */
export const LONGEST_COMMENT = 135;
const TREES = ['src', 'scripts', 'examples', 'test'];
const COMMENT = /^\s*(\/\/|\/\*|\*)/;

/**
 * @param {string} root - a checkout
 * @returns {import('./sources.mjs').Violation[]}
 */
export function longComments(root) {
  const paths = TREES.filter(tree => existsSync(join(root, tree))).flatMap(tree =>
    sourcesIn(join(root, tree), '.ts', '.mjs').map(path => `${tree}/${path}`)
  );
  return paths
    .filter(path => !GENERATED.includes(path))
    .flatMap(file =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .map((text, i) => ({ file, line: i + 1, length: COMMENT.test(text) ? text.length : 0 }))
    )
    .filter(({ length }) => length > LONGEST_COMMENT)
    .map(({ file, line, length }) => ({
      file,
      line,
      text: `a comment of ${length} characters, ${LONGEST_COMMENT} at most: divide the line`
    }));
}
