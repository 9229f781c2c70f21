/** What is said of a mark that a person points at. */
import type { Colour, Pattern } from '../base/theme';

/** What a tooltip says of a mark. All of it is shown as text; plain data, so that it can ride on a row of a dataset. */
export type TooltipContent = {
  /** Name of the thing: function, worker. */
  readonly title: string;
  /** Its state in words, right of the title. */
  readonly state?: string;
  readonly colour?: Colour;
  readonly pattern?: Pattern;
  /** Shown in full below the title, in the code font. */
  readonly key?: string;
  readonly rows: readonly (readonly [name: string, value: string])[];
  /** What a click does. */
  readonly hint?: string;
  /** Plots that tell more, offered while the tooltip is pinned. */
  readonly links?: readonly TooltipLink[];
};

/** A plot that a tooltip offers. */
export type TooltipLink = {
  readonly label: string;
  readonly plot: string;
  readonly args: Readonly<Record<string, string | number>>;
};
