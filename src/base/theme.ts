/**
 * The colours of data. The surrounding interface uses only JupyterLab's variables (style/); colours with a meaning come from
 * `palette.json`, from the set for the background's luminance.
 */
import palette from './palette.json';
import type { CssPixels } from './units';

/** A CSS colour, `#rrggbb`. */
export type Colour = string;

/** Activities of a worker besides computing, by Dask's names: the kinds of the feed with reserved colours. */
export type MoveKind = 'transfer' | 'disk-read' | 'disk-write' | 'deserialize';

/** Which of the two sets of data colours suits the background. */
export type Scheme = 'light' | 'dark';

/** Whether lines and secondary texts need the contrast of other texts. */
export type Contrast = 'ordinary' | 'more';

/** Patterns combined with colours, so that information never depends on colour alone. */
export type Pattern = 'none' | 'diagonal' | 'counter-diagonal' | 'dots' | 'cross-hatch' | 'light-bars' | 'dark-bars' | 'hollow';

/** A colour with its pattern. */
export interface Swatch {
  readonly colour: Colour;
  readonly pattern: Pattern;
}

/** Shades of the three kinds of memory in one hue: managed, unmanaged, unmanaged recent. */
export type MemoryShades = readonly [managed: Colour, unmanaged: Colour, recent: Colour];

/** Determines the hue of a memory bar. */
export type MemoryLevel = 'blue' | 'orange' | 'red';

/** All data colours of one scheme, and the axis and text colours needed by canvases. */
export interface Theme {
  readonly scheme: Scheme;
  readonly contrast: Contrast;
  /** `--jp-layout-color1`, the colour of idle time. */
  readonly background: Colour;
  readonly text: Colour;
  readonly textSecondary: Colour;
  readonly border: Colour;
  readonly brand: Colour;
  readonly grid: Colour;
  readonly track: Colour;
  /** JupyterLab's colours of warnings, errors and success, with the contrast needed for text. */
  readonly warn: Colour;
  readonly bad: Colour;
  readonly good: Colour;
  readonly fontFamily: string;
  readonly codeFontFamily: string;
  /** Font size relative to the default. */
  readonly fontScale: number;
  /** Colour and pattern of a prefix by its index in the dictionary of prefixes. */
  prefix(slot: number): Swatch;
  /** A reserved kind of interval; `compute` has the prefix's colour instead. */
  kind(kind: MoveKind): Swatch;
  readonly erred: Swatch;
  memory(level: MemoryLevel): MemoryShades;
  readonly spilled: Colour;
  readonly worker: Readonly<Record<'idle' | 'busy' | 'saturated' | 'paused' | 'retiring' | 'lost', Colour>>;
  readonly task: Readonly<
    Record<'waiting' | 'queued' | 'no-worker' | 'processing' | 'memory' | 'released' | 'erred' | 'forgotten', Colour>
  >;
  readonly sequential: readonly Colour[];
  readonly diverging: readonly Colour[];
}

/** Colours repeat after this many prefixes, distinguished by bars. */
export const PREFIX_COLOURS = palette.prefix.light.length;

const REPETITION: readonly Pattern[] = ['none', 'light-bars', 'dark-bars'];

/** Split `#rrggbb` into its three bytes. */
export function rgb(colour: Colour): [red: number, green: number, blue: number] {
  const value = Number.parseInt(colour.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** Mix two colours: `share` 0 gives `from`, 1 gives `to`. */
export function mix(from: Colour, to: Colour, share: number): Colour {
  const a = rgb(from);
  const b = rgb(to);
  return `#${a
    .map((v, i) =>
      Math.round(v + (b[i] - v) * share)
        .toString(16)
        .padStart(2, '0')
    )
    .join('')}`;
}

/** Relative luminance (WCAG 2.2), 0 black to 1 white. */
function luminance(colour: Colour): number {
  const [r, g, b] = rgb(colour).map(v => {
    const s = v / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Contrast of two colours (WCAG 2.2), 1 to 21. */
export function contrastOf(one: Colour, other: Colour): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Black or white, whichever contrasts more with a background colour. */
export function inkOn(colour: Colour): '#000000' | '#ffffff' {
  return contrastOf(colour, '#000000') >= contrastOf(colour, '#ffffff') ? '#000000' : '#ffffff';
}

/** A colour readable on a background: the colour itself, blended with as much ink as needed. */
export function readable(colour: Colour, background: Colour, least: number): Colour {
  const ink = inkOn(background);
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(colour, ink, share);
    if (contrastOf(mixed, background) >= least) {
      return mixed;
    }
  }
  return ink;
}

/** Interface colours from the page's style sheet. */
export interface FrameColours {
  readonly background: Colour;
  readonly text: Colour;
  readonly textSecondary: Colour;
  readonly border: Colour;
  readonly brand: Colour;
  readonly fontFamily: string;
  readonly codeFontFamily: string;
  /** Default: 1. */
  readonly fontScale?: number;
  /** Default: those of JupyterLab's own themes. */
  readonly warn?: Colour;
  readonly bad?: Colour;
  readonly good?: Colour;
  readonly contrast?: Contrast;
}

/** JupyterLab's colours of warnings, errors and success in its own themes. */
const STATUS = {
  light: { warn: '#f57c00', bad: '#d32f2f', good: '#388e3c' },
  dark: { warn: '#ff9800', bad: '#f44336', good: '#4caf50' }
} as const;
/** Contrast of texts: slightly more than 4.5, since a hovered row has another background. */
const TEXT_CONTRAST = 5;
/** Contrast of symbols and important lines. */
const SIGN_CONTRAST = 3;
/** How much of the released colour a finished task keeps that the scheduler has forgotten, as long as it can be seen. */
const FORGOTTEN = 0.5;
/** Ink fraction of grid lines and of the tracks of bars. */
const FAINT = {
  light: { grid: 0.075, track: 0.055 },
  dark: { grid: 0.0676, track: 0.045 },
  more: { grid: 0.4, track: 0.18 }
} as const;

function schemeOf(background: Colour): Scheme {
  return luminance(background) > 0.4 ? 'light' : 'dark';
}

function forgottenColour(released: Colour, background: Colour): Colour {
  return readable(mix(background, released, FORGOTTEN), background, SIGN_CONTRAST);
}

/** Build a theme for the given interface colours; the scheme follows the background's luminance. */
export function makeTheme(frame: FrameColours): Theme {
  const scheme = schemeOf(frame.background);
  const reserved = palette.reserved[scheme];
  const prefixes = palette.prefix[scheme];
  const kinds: Record<MoveKind, Swatch> = {
    transfer: { colour: reserved.transfer, pattern: 'diagonal' },
    'disk-read': { colour: reserved.disk, pattern: 'dots' },
    'disk-write': { colour: reserved.disk, pattern: 'dots' },
    deserialize: { colour: reserved.serialise, pattern: 'counter-diagonal' }
  };
  const { background, contrast = 'ordinary', fontScale = 1 } = frame;
  const faint = FAINT[contrast === 'more' ? 'more' : scheme];
  const own = STATUS[scheme];
  return {
    ...frame,
    fontScale,
    scheme,
    contrast,
    textSecondary: contrast === 'more' ? frame.text : frame.textSecondary,
    grid: mix(background, inkOn(background), faint.grid),
    track: mix(background, inkOn(background), faint.track),
    warn: readable(frame.warn ?? own.warn, background, TEXT_CONTRAST),
    bad: readable(frame.bad ?? own.bad, background, TEXT_CONTRAST),
    good: readable(frame.good ?? own.good, background, SIGN_CONTRAST),
    prefix: slot => ({
      colour: prefixes[slot % prefixes.length],
      pattern: REPETITION[Math.floor(slot / prefixes.length)] ?? 'none'
    }),
    kind: kind => kinds[kind],
    erred: { colour: reserved.erred, pattern: 'cross-hatch' },
    memory: level => palette.memory[scheme][level] as unknown as MemoryShades,
    spilled: palette.memory[scheme].spilled,
    worker: palette.worker[scheme],
    task: { ...palette.task[scheme], forgotten: forgottenColour(palette.task[scheme].released, background) },
    sequential: palette.sequential[scheme],
    diverging: palette.diverging[scheme]
  };
}

/** Ink fraction in the track of a bar that is a few pixels high. */
const TRACK_OF_SMALL_BARS = 0.11;
/** The size of our default text, in the pixels that style/base.css calls `--dp-px`. */
const ORDINARY_SIZE: CssPixels = 13;
/** Borders with this contrast mean a high-contrast theme: those of ordinary themes have at most 3. */
const STRONG_BORDER = 4.5;

/**
 * Any CSS colour to `#rrggbb`: `rgb(…)` and hex are parsed here, all others (`oklch(…)`, `color(…)`) by the browser; an
 * unknown one gives `fallback`.
 *
 * @param under - background of a translucent colour: JupyterLab's text colours are black or white with an alpha
 */
export function cssColour(text: string, fallback: Colour, under: Colour = '#ffffff'): Colour {
  const value = text.trim();
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(value);
  if (hex) {
    return hex[1].length === 6
      ? value.toLowerCase()
      : `#${[...hex[1]]
          .map(c => c + c)
          .join('')
          .toLowerCase()}`;
  }
  const parts = /^rgba?\(([^)]+)\)$/
    .exec(value)?.[1]
    .split(/[\s,/]+/)
    .map(Number);
  if (parts && parts.length >= 3 && parts.slice(0, 3).every(Number.isFinite)) {
    const solid = `#${parts
      .slice(0, 3)
      .map(v => Math.round(v).toString(16).padStart(2, '0'))
      .join('')}`;
    const alpha = parts.length > 3 && Number.isFinite(parts[3]) ? Math.min(1, Math.max(0, parts[3])) : 1;
    return alpha < 1 ? mix(under, solid, alpha) : solid;
  }
  return byBrowser(value, under) ?? fallback;
}

/** A colour as drawn by the browser; `null` if it is invalid, or nothing can be drawn. */
function byBrowser(value: string, under: Colour): Colour | null {
  // Computed styles contain functions: names have become rgb().
  if (!/^(?!var)[a-z]+\(/i.test(value)) {
    return null;
  }
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) {
    return null;
  }
  // An invalid colour leaves the previous one unchanged.
  const taken = ['#000000', '#ffffff'].map(before => {
    context.fillStyle = before;
    context.fillStyle = value;
    return context.fillStyle;
  });
  if (taken[0] !== taken[1]) {
    return null;
  }
  context.fillStyle = under;
  context.fillRect(0, 0, 1, 1);
  context.fillStyle = value;
  context.fillRect(0, 0, 1, 1);
  const bytes = [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  return `#${bytes.map(byte => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** System colours that replace JupyterLab's if the browser forces colours. */
const FORCED: Readonly<Record<string, string>> = {
  '--jp-layout-color1': 'Canvas',
  '--jp-brand-color1': 'Highlight'
};

/** Whether a media query matches; false if it cannot be evaluated. */
function mediaIs(query: string): boolean {
  return typeof window.matchMedia === 'function' && window.matchMedia(query).matches;
}

/** Media queries of the system's colour preferences; see {@link readTheme}. */
export const FORCED_COLOURS = '(forced-colors: active)';
export const MORE_CONTRAST = '(prefers-contrast: more)';

/** JupyterLab's light theme: for what a page does not define, and until a view is in a page. */
export const LIGHT_FRAME = {
  background: '#ffffff',
  text: '#212121',
  textSecondary: '#616161',
  border: '#e0e0e0',
  brand: '#1976d2',
  fontFamily: 'system-ui, sans-serif',
  codeFontFamily: 'monospace'
} as const satisfies FrameColours;

/** Read the theme of an element from its computed style. */
export function readTheme(element: HTMLElement): Theme {
  const forced = mediaIs(FORCED_COLOURS);
  const probe = document.createElement('span');
  probe.style.display = 'none';
  // Otherwise all colours are the system's text colour.
  probe.style.setProperty('forced-color-adjust', 'none');
  probe.style.fontSize = `calc(${ORDINARY_SIZE} * var(--dp-px))`;
  element.appendChild(probe);
  const colour = (variable: string, fallback: Colour, under?: Colour): Colour => {
    // A variable may contain another variable or a named colour: the computed `color` resolves it.
    probe.style.color = forced ? (FORCED[variable] ?? 'CanvasText') : `var(${variable}, ${fallback})`;
    return cssColour(getComputedStyle(probe).color, fallback, under);
  };
  const background = colour('--jp-layout-color1', LIGHT_FRAME.background);
  const style = getComputedStyle(element);
  const own = STATUS[schemeOf(background)];
  const strong = contrastOf(colour('--jp-border-color1', '#bdbdbd', background), background) >= STRONG_BORDER;
  const frame: FrameColours = {
    background,
    text: colour('--jp-ui-font-color1', LIGHT_FRAME.text, background),
    textSecondary: colour('--jp-ui-font-color2', LIGHT_FRAME.textSecondary, background),
    border: colour('--jp-border-color2', LIGHT_FRAME.border, background),
    brand: colour('--jp-brand-color1', LIGHT_FRAME.brand),
    warn: colour('--jp-warn-color1', own.warn, background),
    bad: colour('--jp-error-color1', own.bad, background),
    good: colour('--jp-success-color1', own.good, background),
    contrast: forced || strong || mediaIs(MORE_CONTRAST) ? 'more' : 'ordinary',
    fontFamily: style.getPropertyValue('--jp-ui-font-family').trim() || LIGHT_FRAME.fontFamily,
    codeFontFamily: style.getPropertyValue('--jp-code-font-family').trim() || LIGHT_FRAME.codeFontFamily,
    fontScale: (Number.parseFloat(getComputedStyle(probe).fontSize) || ORDINARY_SIZE) / ORDINARY_SIZE
  };
  probe.remove();
  return makeTheme(frame);
}

/**
 * Write the colours shared by style sheets and pictures: for the whole page, since dialogs and tooltips are outside panes.
 */
export function writeTheme(root: HTMLElement, { warn, bad, good, grid, background }: Theme): void {
  const values = { warn, bad, live: good, grid, track: mix(background, inkOn(background), TRACK_OF_SMALL_BARS) };
  for (const [name, value] of Object.entries(values)) {
    root.style.setProperty(`--dp-${name}`, value);
  }
}
