/** The tooltip of a mark. */
import type { Colour, Pattern } from '../base/theme';

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
