/**
 * The colours of data. The frame around the data uses JupyterLab's variables only (style/); everything that has a
 * meaning takes its colour here, from `palette.json`, in the set that fits the background's luminance.
 */
import palette from './palette.json';
import type { CssPixels } from './units';

/** A CSS colour, `#rrggbb`. */
export type Colour = string;

/** What a worker does besides computing, by Dask's names: the kinds of the feed whose colours are reserved. */
export type MoveKind = 'transfer' | 'disk-read' | 'disk-write' | 'deserialize';

/** Which of the two sets of data colours fits the background. */
export type Scheme = 'light' | 'dark';

/** Patterns that go with a colour, so that colour is never the only channel. */
export type Pattern = 'none' | 'diagonal' | 'counter-diagonal' | 'dots' | 'cross-hatch' | 'light-bars' | 'dark-bars' | 'hollow';

/** A colour with its pattern. */
export interface Swatch {
  readonly colour: Colour;
  readonly pattern: Pattern;
}

/** Shades of the three kinds of memory in one hue: managed, unmanaged, unmanaged recent. */
export type MemoryShades = readonly [managed: Colour, unmanaged: Colour, recent: Colour];

/** What decides the hue of a memory bar. */
export type MemoryLevel = 'blue' | 'orange' | 'red';

/** All data colours of one scheme, and the colours of axes and text that canvases need. */
export interface Theme {
  readonly scheme: Scheme;
  /** `--jp-layout-color1`, what idle time looks like. */
  readonly background: Colour;
  readonly text: Colour;
  readonly textSecondary: Colour;
  readonly border: Colour;
  readonly brand: Colour;
  readonly grid: Colour;
  readonly track: Colour;
  readonly warn: Colour;
  readonly bad: Colour;
  readonly fontFamily: string;
  readonly codeFontFamily: string;
  /** Size of the interface font in units of the ordinary one. */
  readonly fontScale: number;
  /** Colour and pattern of a prefix by its position in the dictionary of prefixes. */
  prefix(slot: number): Swatch;
  /** A reserved kind of interval; `compute` has the prefix's colour instead. */
  kind(kind: MoveKind): Swatch;
  readonly erred: Swatch;
  memory(level: MemoryLevel): MemoryShades;
  readonly spilled: Colour;
  readonly worker: Readonly<Record<'idle' | 'busy' | 'saturated' | 'paused' | 'retiring' | 'lost', Colour>>;
  readonly task: Readonly<Record<'waiting' | 'queued' | 'no-worker' | 'processing' | 'memory' | 'released' | 'erred', Colour>>;
  readonly sequential: readonly Colour[];
  readonly diverging: readonly Colour[];
}

/** Colours repeat after this many prefixes, with bars to tell the repetitions apart. */
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
export function luminance(colour: Colour): number {
  const [r, g, b] = rgb(colour).map(v => {
    const s = v / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Black or white, whichever contrasts more with a colour that lies under it. */
export function inkOn(colour: Colour): '#000000' | '#ffffff' {
  const l = luminance(colour);
  return (l + 0.05) / 0.05 >= 1.05 / (l + 0.05) ? '#000000' : '#ffffff';
}

/** Colours of the frame, as the page's style sheet gives them. */
export interface FrameColours {
  readonly background: Colour;
  readonly text: Colour;
  readonly textSecondary: Colour;
  readonly border: Colour;
  readonly brand: Colour;
  readonly fontFamily: string;
  readonly codeFontFamily: string;
  /** 1 unless told otherwise. */
  readonly fontScale?: number;
}

/** Build a theme for a page whose frame has the given colours; the scheme follows the background's luminance. */
export function makeTheme(frame: FrameColours): Theme {
  const scheme: Scheme = luminance(frame.background) > 0.4 ? 'light' : 'dark';
  const reserved = palette.reserved[scheme];
  const prefixes = palette.prefix[scheme];
  const kinds: Record<MoveKind, Swatch> = {
    transfer: { colour: reserved.transfer, pattern: 'diagonal' },
    'disk-read': { colour: reserved.disk, pattern: 'dots' },
    'disk-write': { colour: reserved.disk, pattern: 'dots' },
    deserialize: { colour: reserved.serialise, pattern: 'counter-diagonal' }
  };
  return {
    ...frame,
    fontScale: frame.fontScale ?? 1,
    scheme,
    grid: scheme === 'light' ? '#ececec' : '#303030',
    track: scheme === 'light' ? '#f1f1f1' : '#2b2b2b',
    warn: scheme === 'light' ? '#a85600' : '#ffab40',
    bad: scheme === 'light' ? '#a3122a' : '#ff7a86',
    prefix: slot => ({
      colour: prefixes[slot % prefixes.length],
      pattern: REPETITION[Math.floor(slot / prefixes.length)] ?? 'none'
    }),
    kind: kind => kinds[kind],
    erred: { colour: reserved.erred, pattern: 'cross-hatch' },
    memory: level => palette.memory[scheme][level] as unknown as MemoryShades,
    spilled: palette.memory[scheme].spilled,
    worker: palette.worker[scheme],
    task: palette.task[scheme],
    sequential: palette.sequential[scheme],
    diverging: palette.diverging[scheme]
  };
}

/** `--jp-ui-font-size1` as JupyterLab delivers it. */
const ORDINARY_SIZE: CssPixels = 13;

/**
 * Any CSS colour to `#rrggbb`: `rgb(…)` and hex are read here, all others (`oklch(…)`, `color(…)`) by the browser; what it
 * does not know gives `fallback`.
 *
 * @param under - what a translucent colour lies on: JupyterLab's text colours are black or white with an alpha
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

/** A colour as the browser draws it; `null` where it is none, or where nothing can be drawn. */
function byBrowser(value: string, under: Colour): Colour | null {
  // Computed styles have functions: names are rgb() by then.
  if (!/^(?!var)[a-z]+\(/i.test(value)) {
    return null;
  }
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) {
    return null;
  }
  // What is no colour leaves the one before.
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

/** Read the theme that applies to an element from its computed style. */
export function readTheme(element: HTMLElement): Theme {
  const probe = document.createElement('span');
  probe.style.display = 'none';
  element.appendChild(probe);
  const colour = (variable: string, fallback: Colour, under?: Colour): Colour => {
    // A variable may hold another variable or a named colour: the computed `color` resolves it.
    probe.style.color = `var(${variable}, ${fallback})`;
    return cssColour(getComputedStyle(probe).color, fallback, under);
  };
  const background = colour('--jp-layout-color1', '#ffffff');
  const style = getComputedStyle(element);
  const frame: FrameColours = {
    background,
    text: colour('--jp-ui-font-color1', '#212121', background),
    textSecondary: colour('--jp-ui-font-color2', '#616161', background),
    border: colour('--jp-border-color2', '#e0e0e0', background),
    brand: colour('--jp-brand-color1', '#1976d2'),
    fontFamily: style.getPropertyValue('--jp-ui-font-family').trim() || 'system-ui, sans-serif',
    codeFontFamily: style.getPropertyValue('--jp-code-font-family').trim() || 'monospace',
    fontScale: (Number.parseFloat(style.getPropertyValue('--jp-ui-font-size1')) || ORDINARY_SIZE) / ORDINARY_SIZE
  };
  probe.remove();
  return makeTheme(frame);
}
