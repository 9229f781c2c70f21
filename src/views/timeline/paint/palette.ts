/** Pixel codes, and their colours in a theme. */
import { type Colour, mix, rgb, type Swatch, type Theme } from '../../../base/theme';
import type { Share } from '../../../base/units';
import { KIND } from '../../../feed/schema';
import { ERRED_LEGEND, moveLegend, prefixLegend } from '../../../selectors/tasks/task-legend';

/** Distinguishable steps of busy share. */
export const SHADES = 8;

/** Code of an idle pixel. */
export const IDLE = 0;

const FIRST_KIND = SHADES;
const FIRST_PREFIX = FIRST_KIND + 8 * SHADES;
/** Prefixes with separate codes; further ones share codes by colour and pattern. */
const OWN_CODES = 7200;
/** Colours and patterns repeat after this many. */
const REPEAT = 48;
const SLOTS = OWN_CODES + REPEAT;
const FIRST_ERRED = FIRST_PREFIX + SLOTS * SHADES;
/** A low busy share is still visible. */
const FAINTEST: Share = 0.3;
/** What remains of the colour of a dimmed block; a selection may veil it, too, and what is left must still be seen. */
const DIMMED = { light: 0.35, dark: 0.45 } as const satisfies Record<Theme['scheme'], Share>;

/** Step of a busy share. */
export function shade(busy: Share): number {
  return busy >= 1 ? SHADES - 1 : (busy * SHADES) | 0;
}

function slotOf(prefix: number): number {
  return prefix < OWN_CODES ? prefix : OWN_CODES + (prefix % REPEAT);
}

/** Code of a pixel with computations of a prefix. */
export function prefixCode(prefix: number, busy: Share): number {
  return FIRST_PREFIX + slotOf(prefix) * SHADES + shade(busy);
}

/** Code of a pixel in which a task raised, however short; `prefix` is that of what the pixel shows most. */
export function erredCode(prefix: number): number {
  return FIRST_ERRED + slotOf(prefix);
}

/** Whether a code is one of {@link erredCode}. */
export function isErred(code: number): boolean {
  return code >= FIRST_ERRED;
}

/** Code of a pixel with transfers or I/O; `kind` is the code of the schema. Unknown kinds look like the last one. */
export function kindCode(kind: number, busy: Share): number {
  return FIRST_KIND + Math.min(kind, KIND.length - 1) * SHADES + shade(busy);
}

/** Colours of all codes, as 32-bit image values (little-endian RGBA). */
export class Palette {
  readonly colours = new Uint32Array(65_536);
  /** Cross line of an error, so that a thin one is visible between blocks of any colour. */
  readonly erredGap: number;

  /**
   * Set a theme and the hidden legend ids: hidden intervals look idle.
   *
   * @param dims - whether computations of a prefix, and their errors, are dimmed
   */
  constructor(
    readonly theme: Theme,
    readonly hidden: ReadonlySet<string>,
    private readonly dims: (prefix: number) => boolean = () => false
  ) {
    this.erredGap = hidden.has(ERRED_LEGEND) ? 0 : pixel(theme.background);
    for (const [code, kind] of KIND.entries()) {
      if (kind !== 'compute' && !hidden.has(moveLegend(kind))) {
        this.ramp(FIRST_KIND + code * SHADES, theme.kind(kind).colour);
      }
    }
  }

  /** Make sure that the first `count` prefixes have colours. */
  know(count: number): void {
    for (let prefix = this.known; prefix < count; prefix++) {
      if (!this.hidden.has(prefixLegend(prefix))) {
        this.ramp(FIRST_PREFIX + slotOf(prefix) * SHADES, this.colourOf(prefix));
      }
      if (!this.hidden.has(ERRED_LEGEND)) {
        this.colours[erredCode(prefix)] = pixel(this.erredOf(prefix));
      }
    }
    this.known = Math.max(this.known, count);
  }

  private colourOf(prefix: number): Colour {
    return this.dimmed(prefix, this.theme.prefix(prefix).colour);
  }

  private erredOf(prefix: number): Colour {
    return this.dimmed(prefix, this.theme.erred.colour);
  }

  private dimmed(prefix: number, colour: Colour): Colour {
    return this.dims(prefix) ? mix(this.theme.background, colour, DIMMED[this.theme.scheme]) : colour;
  }

  /** Colour and pattern of a computation; `null` if hidden. */
  compute(prefix: number, erred: boolean): Swatch | null {
    if (erred) {
      return this.hidden.has(ERRED_LEGEND) ? null : { ...this.theme.erred, colour: this.erredOf(prefix) };
    }
    return this.hidden.has(prefixLegend(prefix)) ? null : { ...this.theme.prefix(prefix), colour: this.colourOf(prefix) };
  }

  /** Colour and pattern of a transfer or I/O; `null` if hidden. */
  move(code: number): Swatch | null {
    const kind = KIND[Math.min(code, KIND.length - 1)];
    return kind === 'compute' || this.hidden.has(moveLegend(kind)) ? null : this.theme.kind(kind);
  }

  private ramp(first: number, colour: Colour): void {
    for (let step = 0; step < SHADES; step++) {
      const share = FAINTEST + (1 - FAINTEST) * (step / (SHADES - 1));
      this.colours[first + step] = pixel(mix(this.theme.background, colour, share));
    }
  }

  private known = 0;
}

/** An opaque colour as a 32-bit image value. */
function pixel(colour: Colour): number {
  const [red, green, blue] = rgb(colour);
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}
