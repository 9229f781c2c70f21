/**
 * The value of JSON that others wrote, to be read with `untrusted.ts`; `null` for a text that is not JSON, and for any other
 * value.
 */
export function parseJson(text: unknown): unknown {
  try {
    return typeof text === 'string' ? (JSON.parse(text) as unknown) : null;
  } catch {
    // Text of another program, or a file that was cut off: the same as nothing saved.
    return null;
  }
}
