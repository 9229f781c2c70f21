/** The parts of memory, drawn alike by all memory plots (`docs/look.md`, "Axes, bars, time, stream"). */
import { formatBytes } from '../../base/format';
import { mix, type MemoryLevel, type Theme } from '../../base/theme';
import type { Bytes } from '../../base/units';
import type { MemoryThresholds, Run } from '../../run/run';
import type { Bar, BarLine } from '.';
import type { LegendItem, PlotContext, Translate } from '../../plot/plot';

/** Bytes of a worker, or of the cluster, by kind. */
export interface MemoryParts {
  readonly managed: Bytes;
  readonly unmanaged: Bytes;
  readonly recent: Bytes;
  readonly spilled: Bytes;
}

/** Memory as one bar: shades of one hue within an outline, followed by data on disk. */
export function memoryBar(parts: MemoryParts, level: MemoryLevel, context: PlotContext): Bar {
  const { theme, hidden } = context;
  const [managed, unmanaged, recent] = theme.memory(level);
  const size = (part: keyof MemoryParts): Bytes => (hidden.has(part) || !(parts[part] > 0) ? 0 : parts[part]);
  return {
    segments: [
      { size: size('managed'), fill: managed },
      { size: size('unmanaged'), fill: unmanaged },
      { size: size('recent'), fill: recent, pattern: 'diagonal', ink: managed },
      { size: size('spilled'), fill: spilledFill(theme), pattern: 'light-bars', ink: theme.spilled, apart: true }
    ],
    frame: { to: size('managed') + size('unmanaged') + size('recent'), colour: managed }
  };
}

/** A bar cut off at the end of the axis, which has to be marked. */
export function barWithin(bar: Bar, end: Bytes): Bar {
  let left = end;
  const segments = bar.segments.map(segment => {
    const size = Math.min(segment.size, left);
    left -= size;
    return { ...segment, size };
  });
  return { ...bar, segments, ...(bar.frame ? { frame: { ...bar.frame, to: Math.min(bar.frame.to, end) } } : {}) };
}

function spilledFill(theme: Theme): string {
  return mix(theme.spilled, theme.background, 0.6);
}

/** Legend of the parts, in the hue of a memory level. */
export function memoryLegend(level: MemoryLevel, theme: Theme, trans: Translate): LegendItem[] {
  const [managed, unmanaged, recent] = theme.memory(level);
  return [
    { id: 'managed', label: trans.__('managed'), colour: managed, pattern: 'none' },
    { id: 'unmanaged', label: trans.__('unmanaged'), colour: unmanaged, pattern: 'none' },
    { id: 'recent', label: trans.__('unmanaged, recent'), colour: recent, pattern: 'diagonal' },
    { id: 'spilled', label: trans.__('spilled'), colour: theme.spilled, pattern: 'light-bars' }
  ];
}

/** The configured thresholds, as fractions of a limit, ascending. */
export function thresholdMarks(
  thresholds: MemoryThresholds,
  trans: Translate
): { readonly share: number; readonly text: string }[] {
  const all = [
    { share: thresholds.target, text: trans.__('target') },
    { share: thresholds.spill, text: trans.__('spill') },
    { share: thresholds.pause, text: trans.__('pause') }
  ];
  return all.flatMap(({ share, text }) => (share !== null && share > 0 && share < 1 ? [{ share, text }] : []));
}

/** Why there are no marks of thresholds, as a note; none if they are known or switched off. */
export function thresholdNotes({ meta }: Run, trans: Translate): readonly string[] {
  return meta.unknown?.includes('thresholds') === true
    ? [trans.__('at which share of its limit a worker spills or is paused is not known')]
    : [];
}

/** The solid line of a limit and the dotted lines of its thresholds. */
export function limitLines(limit: Bytes, thresholds: MemoryThresholds, context: PlotContext): BarLine[] {
  if (!(limit > 0)) {
    return [];
  }
  const { theme, trans } = context;
  return [
    ...thresholdMarks(thresholds, trans).map(({ share }) => ({
      value: limit * share,
      colour: theme.textSecondary,
      dotted: true
    })),
    { value: limit, colour: theme.text }
  ];
}

/** Name and value of each part, for tooltips. */
export function memoryTooltip(process: Bytes, parts: MemoryParts, trans: Translate): [string, string][] {
  return [
    [trans.__('Process'), formatBytes(process)],
    [trans.__('Managed'), formatBytes(parts.managed)],
    [trans.__('Unmanaged'), formatBytes(parts.unmanaged)],
    [trans.__('Unmanaged, recent'), formatBytes(parts.recent)],
    [trans.__('Spilled to disk'), formatBytes(parts.spilled)]
  ];
}
