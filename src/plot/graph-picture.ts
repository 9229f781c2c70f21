/** The picture of a plot that is a graph. */
import type { Swatch } from '../base/theme';
import type { TaskState } from '../feed/schema';
import type { GraphPart } from '../run/graph/graph-part';
import type { Links } from '../run/graph/links';
import type { PlotLink, TooltipContent } from './tooltip';

/** A box of a graph: a group of tasks. */
export interface GraphBox {
  /** Stable for the lifetime of the run: positions, selection and zoom refer to it. */
  readonly id: number;
  readonly title: string;
  /** Number of its function in the run's dictionary. */
  readonly prefix: number;
  /** Text below the bar. */
  readonly facts: string;
  /** Colour of its function. */
  readonly swatch: Swatch;
  /** Tasks by state, in the order of the bar. */
  readonly states: readonly { readonly state: TaskState; readonly count: number }[];
  readonly tooltip: TooltipContent;
}

/** A graph of boxes, or of single tasks. */
export type GraphPicture = {
  /** Ids of nodes one after the other that are marked as the critical path. */
  readonly path: readonly number[];
  /** What is drawn. With the same subject, another structure is the same graph with more or fewer nodes. */
  readonly subject: string;
} & (
  | {
      readonly kind: 'boxes';
      readonly boxes: readonly GraphBox[];
      /** By position in `boxes`. */
      readonly links: Links;
      /** What a double click on a box opens, by its id. */
      readonly opens: (id: number) => PlotLink;
      /** Changes with boxes and links, not with counts. The layout depends only on it. */
      readonly structure: string;
    }
  | {
      readonly kind: 'tasks';
      /** The tasks; called when `structure` has changed. */
      readonly part: () => GraphPart;
      readonly structure: string;
    }
);
