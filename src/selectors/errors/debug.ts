/** The line that looks at an erred task in a notebook. */
import type { Run } from '../../run/run';

/** Longer keys may be cut, and no longer those of a task. */
const LONGEST = 300;
/** A tuple of texts and whole numbers as Python writes it: only such a key is code. */
const TUPLE = /^\((?:'[^'\\\p{C}\u2028\u2029]*'|-?\d+)(?:, (?:'[^'\\\p{C}\u2028\u2029]*'|-?\d+))*,?\)$/u;
/** What is not seen, or changes the order in which a line is read. */
const UNSEEN = /[\p{Bidi_Control}\u2028\u2029\u007f-\u009f]/gu;

/**
 * Whether tasks can be run again in the process of a client. They cannot where scheduler and client share a process
 * (`processes=False`): Dask's client raises an `AttributeError` there (distributed 2026.8).
 */
function isPossible({ workerNames }: Run): boolean {
  return !workerNames.some(({ address }) => address.startsWith('inproc://'));
}

/**
 * The Python code that runs a task again in the process of its client: `client.recreate_task_locally("load-1")`.
 *
 * @param key - as the feed has it: untrusted
 * @returns empty if the key is not known, may be cut, or this is not possible
 */
export function debugLine(run: Run, key: string): string {
  if (key === '' || key.length > LONGEST || !isPossible(run)) {
    return '';
  }
  const literal = TUPLE.test(key) ? key : JSON.stringify(key).replace(UNSEEN, escaped);
  return `client.recreate_task_locally(${literal})`;
}

/** JSON and Python escape a character the same way. */
function escaped(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
