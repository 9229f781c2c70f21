/** Packed task keys, as the collector packs them (`docs/recording.md`, "Keys"). */

const HEX = 1;
const UUID = 2;
const TUPLE = 3;

/**
 * The key as a user writes it: texts as they are, others as Python's `repr`.
 *
 * @param packed - its form and its parts
 * @param prefix - name of its row's prefix, if it is known
 * @param group - name of a group by id
 * @returns `null` if it is not known without its prefix
 */
export function unpackKey(packed: Uint8Array, prefix: string | undefined, group: (id: number) => string): string | null {
  const body = packed.subarray(1);
  if (prefix === undefined && (packed[0] === HEX || packed[0] === UUID)) {
    return null;
  }
  switch (packed[0]) {
    case HEX:
      return `${prefix}-${hex(body)}`;
    case UUID:
      return `${prefix}-${[hex(body.subarray(0, 4)), hex(body.subarray(4, 6)), hex(body.subarray(6, 8)), hex(body.subarray(8, 10)), hex(body.subarray(10))].join('-')}`;
    case TUPLE:
      return tuple(body, group);
    default:
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  }
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

function tuple(body: Uint8Array, group: (id: number) => string): string {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  if (body.length < 2) {
    return '()';
  }
  const parts = [pythonText(group(view.getUint16(0, true)))];
  for (let at = 2; at + 4 <= body.length; at += 4) {
    parts.push(String(view.getInt32(at, true)));
  }
  return parts.length === 1 ? `(${parts[0]},)` : `(${parts.join(', ')})`;
}

/** `repr` of a text in Python. */
function pythonText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = text.replace(/[\\'"]|(?! )[\p{C}\p{Z}]/gu, letter => escaped(letter, quote));
  return `${quote}${inner}${quote}`;
}

function escaped(letter: string, quote: string): string {
  if (letter === '\\' || letter === quote) {
    return `\\${letter}`;
  }
  if (letter === "'" || letter === '"') {
    return letter;
  }
  const known = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[letter];
  const code = letter.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  return (
    known ??
    (code < 0x100
      ? `\\x${digits.padStart(2, '0')}`
      : code < 0x10000
        ? `\\u${digits.padStart(4, '0')}`
        : `\\U${digits.padStart(8, '0')}`)
  );
}
