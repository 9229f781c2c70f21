/** The markup of an SVG file, with a limit. */

/** Values of attributes; what is undefined is left out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** With more elements, programs take minutes to show the file. */
export const MOST_ELEMENTS = 50_000;
/** Rectangles of one colour are one element, but each takes room in the file: some 5 MB at most. */
export const MOST_BOXES = 200_000;

/** The picture has more than {@link MOST_ELEMENTS} or {@link MOST_BOXES}. */
export class TooDetailed extends Error {}

/** What XML has no characters for, in no notation: most control characters, halves of pairs, U+FFFE and U+FFFF. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Markup without characters that XML forbids. */
export function permitted(markup: string): string {
  return markup.replace(FORBIDDEN, '\ufffd');
}

/** Any text as content or as a value of XML. */
export function escaped(text: string): string {
  return permitted(text).replace(/[&<>"]/g, character => ENTITIES[character]);
}

/** A number as SVG, rounded to a hundredth: nobody sees the difference. */
export function figure(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function tagOf(tag: string, attributes: Attributes): string {
  const written = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${typeof value === 'number' ? figure(value) : escaped(value)}"`]
  );
  return `<${tag}${written.join('')}`;
}

/** The definitions of a file, and what it has taken of its limits. */
interface Shared {
  readonly ids: Map<string, string>;
  elements: number;
  boxes: number;
}

/**
 * Writes elements one after the other.
 *
 * @throws TooDetailed from any method, once there are too many
 */
export class SvgOutput {
  constructor(private readonly shared: Shared = { ids: new Map(), elements: 0, boxes: 0 }) {}

  /** @param content - markup */
  add(tag: string, attributes: Attributes, content = ''): void {
    this.take(1, 0);
    this.parts.push(`${tagOf(tag, attributes)}${content === '' ? '/>' : `>${content}</${tag}>`}`);
  }

  open(tag: string, attributes: Attributes): void {
    this.take(1, 0);
    this.parts.push(`${tagOf(tag, attributes)}>`);
  }

  close(tag: string): void {
    this.parts.push(`</${tag}>`);
  }

  /** Insert markup with the given number of elements. */
  insert(markup: string, elements: number): void {
    this.take(elements, 0);
    this.parts.push(markup);
  }

  /** Count rectangles that are parts of an element. */
  box(): void {
    this.take(0, 1);
  }

  /** An element that others refer to by the returned id; the same one is written once. */
  define(tag: string, attributes: Attributes, content: string): string {
    const { ids } = this.shared;
    const written = `${tagOf(tag, attributes)}>${content}</${tag}>`;
    let id = ids.get(written);
    if (id === undefined) {
      this.take(1, 0);
      id = `dp${ids.size}`;
      ids.set(written, id);
    }
    return id;
  }

  /** A rectangle to which something is limited, as the value of `clip-path`. */
  clip(x: number, y: number, width: number, height: number): string {
    const [w, h] = [Math.max(0, width), Math.max(0, height)].map(figure);
    return `url(#${this.define('clipPath', {}, `<rect x="${figure(x)}" y="${figure(y)}" width="${w}" height="${h}"/>`)})`;
  }

  /** Another output that shares limits and definitions. */
  aside(): SvgOutput {
    return new SvgOutput(this.shared);
  }

  /** The elements. */
  get markup(): string {
    return this.parts.join('\n');
  }

  /** The definitions. */
  get definitions(): string {
    return [...this.shared.ids].map(([markup, id]) => markup.replace(/^<\w+/, tag => `${tag} id="${id}"`)).join('\n');
  }

  private take(elements: number, boxes: number): void {
    const { shared } = this;
    shared.elements += elements;
    shared.boxes += boxes;
    if (shared.elements > MOST_ELEMENTS || shared.boxes > MOST_BOXES) {
      throw new TooDetailed();
    }
  }

  private readonly parts: string[] = [];
}
