/** What a plot that is a graph draws. */
import type { Swatch } from '../base/theme';
import type { TaskState } from '../feed/schema';
import type { GraphScope } from '../run/graph/graph-part';
import type { Links } from '../run/graph/links';
import type { TooltipContent } from './tooltip';

/** A box of a graph: tasks taken together. */
export interface GraphBox {
  /** Stable while the run lasts: places, selection and zoom hang on it. */
  readonly id: number;
  readonly title: string;
  /** What stands below the bar. */
  readonly facts: string;
  /** Of its function. */
  readonly swatch: Swatch;
  /** Tasks by state, in the order of the bar. */
  readonly states: readonly { readonly state: TaskState; readonly count: number }[];
  readonly tooltip: TooltipContent;
}

/** A graph of boxes, or of single tasks. */
export type GraphPicture =
  | {
      readonly kind: 'boxes';
      readonly boxes: readonly GraphBox[];
      /** By position in `boxes`. */
      readonly links: Links;
      /** Changes with boxes and links, not with counts: what decides about their places. */
      readonly structure: string;
    }
  | {
      readonly kind: 'tasks';
      readonly scope: GraphScope;
      readonly structure: string;
    };
