/** Whether a decoded value of unknown origin is a map of names to values: not a list and not binary data. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}
