/** The tooltip of a mark. */
import type { Colour, Pattern } from '../base/theme';
import type { TaskState } from '../feed/schema';

/**
 * What actions on a cluster, and the selection, apply to; of several workers, their addresses. Plain data, so that it can be a
 * field of a dataset row; all texts are untrusted.
 */
export type Subject =
  | { readonly kind: 'worker'; readonly address: string; readonly name: string }
  | { readonly kind: 'workers'; readonly name: string; readonly workers: readonly string[] }
  | { readonly kind: 'task'; readonly key: string; readonly state: TaskState | null }
  | { readonly kind: 'function'; readonly prefix: string };

/** Content of a tooltip, always shown as text. Plain data, so that it can be a field of a dataset row. */
export type TooltipContent = {
  /** Name of the thing: function, worker. */
  readonly title: string;
  /** Its state, to the right of the title. */
  readonly state?: string;
  readonly colour?: Colour;
  readonly pattern?: Pattern;
  /** Shown in full below the title, in the code font. */
  readonly key?: string;
  readonly rows: readonly (readonly [name: string, value: string])[];
  /** The effect of a click. */
  readonly hint?: string;
  /** What actions, offered while the tooltip is pinned and in the context menu, apply to. */
  readonly subject?: Subject;
  /** Plots with more detail, offered while the tooltip is pinned. */
  readonly links?: readonly TooltipLink[];
};

/** A plot to open, with values of its options and of its view's state. */
export type PlotLink = {
  readonly plot: string;
  readonly args: Readonly<Record<string, string | number>>;
};

/** A plot offered by a tooltip. */
export type TooltipLink = PlotLink & { readonly label: string };
