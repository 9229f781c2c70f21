/**
 * What a plot is. A plot is a pure description: which topics it needs and how the state of a run becomes something
 * that a view can draw. Adding a plot is adding one file and one line in `plots/index.ts`; sidebar, palette,
 * restorer, report and docs take it from there. Nothing here imports JupyterLab, Lumino widgets or Vega.
 */
import type { Theme, Pattern, Colour } from '../base/theme';
import type { Scalar } from '../feed/frame';
import type { Topic } from '../feed/schema';
import type { Cleared } from '../run/cleared';
import type { Run } from '../run/run';
import type { Keeping } from './kept';
import type { GraphPicture } from './graph-picture';
import type { TableData } from './table';
import type { VegaPicture, VegaSize } from './vega-picture';

export type { GraphBox, GraphPicture } from './graph-picture';
export type { Cell, TableColumn, TableData } from './table';
export type { TooltipContent, TooltipLink } from './tooltip';
export type { Json, RowMargins, VegaDrawing, VegaFrame, VegaPicture, VegaRows, VegaSize } from './vega-picture';

/** Titles of the groups of the sidebar, in English, in its order. */
export const GROUP_TITLES = {
  tasks: 'Tasks',
  memory: 'Memory',
  workers: 'Workers',
  time: 'Time',
  transfers: 'Transfers',
  diagnosis: 'Diagnosis',
  system: 'System',
  local: 'Local scheduler',
  gpu: 'GPU'
} as const;
/** A group of the sidebar. */
export type PlotGroup = keyof typeof GROUP_TITLES;
/** Groups of the sidebar, in its order. */
export const PLOT_GROUPS = Object.keys(GROUP_TITLES) as readonly PlotGroup[];

/** A scheduler of `dask.distributed`, or one of Dask's own that run in the process of the user. */
export type SchedulerKind = 'cluster' | 'local';

/** Translates a text; `%1` … are replaced by the further arguments. */
export type Translate = (text: string, ...args: (string | number)[]) => string;

/** A part of the title line: live counts, some of them strong or warning. */
export interface TitlePart {
  readonly text: string;
  readonly tone?: 'strong' | 'warn' | 'bad';
}

/** An entry of the legend above a plot. */
export interface LegendItem {
  /** What a click on it filters: an opaque id, stable while the run lasts. */
  readonly id: string;
  readonly label: string;
  readonly colour: Colour;
  readonly pattern: Pattern;
  /** Drawn as a pale fill with an outline in the full colour. */
  readonly outlined?: boolean;
}

/** Text of a pane without data: what is, and what would fill it. */
export interface EmptyText {
  readonly head: string;
  readonly body: string;
}

/** Everything that a plot may use to describe a picture; nothing of it is global. */
export interface PlotContext extends Keeping {
  readonly theme: Theme;
  readonly trans: Translate;
  /** Options of this pane that its plot declares (`sort`, `group` …), by id. */
  readonly options: Readonly<Record<string, string>>;
  /** Legend items that the person switched off. */
  readonly hidden: ReadonlySet<string>;
  /** What the view keeps and what the pane was asked to show, such as the key of a task; nothing where there is no pane. */
  readonly saved?: Readonly<Record<string, string | number | boolean>>;
  /** History that the person cleared in this pane, maybe of another run: see `clearedOf`. */
  readonly cleared?: Cleared | null;
}

/** A choice in the status line: sort, grouping, colour. */
export interface PlotOption {
  readonly id: string;
  readonly label: string;
  readonly choices: readonly PlotChoice[];
  readonly initial: string;
  /** Further choices that only a run knows (its functions, its workers); their labels are shown as they are. */
  found?(run: Run): readonly PlotChoice[];
}

/** One value of an option. */
export interface PlotChoice {
  readonly value: string;
  readonly label: string;
}

/** What all plots have. Texts are in English and translated by whoever shows them. */
interface PlotBase {
  /** Lower case with hyphens, as Dask names its dashboard pages where it has one; layouts and notebooks are saved with it. */
  readonly id: string;
  /** What it is called wherever it is named: in the sidebar, on its tab, in reports. */
  readonly title: string;
  /** Plain words: what it shows. */
  readonly caption: string;
  readonly group: PlotGroup;
  /** Inside of an SVG of 16 × 16 in one colour; see `icon.ts`. */
  readonly icon: string;
  /** Which kind of scheduler it is of; a cluster's where it is missing. */
  readonly about?: SchedulerKind;
  /** It asks a scheduler for what it shows: recordings and reports leave it out. */
  readonly needsScheduler?: boolean;
  /** A report gives it a page of its own. */
  readonly wholePage?: boolean;
  /** Other words that people search for. */
  readonly synonyms: readonly string[];
  readonly topics: readonly Topic[];
  /** Two or three sentences: what it shows, what a problem looks like. */
  readonly howToRead: string;
  readonly options?: readonly PlotOption[];
  /** Whether a person can clear what has ended; the plot then honours {@link PlotContext.cleared}. */
  readonly clearable?: boolean;
  /** Tasks that are not shown since they were cleared; without it all that had come by then. */
  clearedTasks?(run: Run, cleared: Cleared): number;
  /** Text while there is nothing to draw; `null` when there is. A topic that is empty may never come: do not wait for it. */
  empty(run: Run, context: PlotContext): EmptyText | null;
  /** Live counts over the plot. */
  titleLine(run: Run, context: PlotContext): readonly TitlePart[];
  /** Entries of the legend; empty when there is none. */
  legend(run: Run, context: PlotContext): readonly LegendItem[];
  /** What is missing or uncertain, written in the status line only when true. */
  notes(run: Run, context: PlotContext): readonly string[];
  /** The same data as rows. */
  table(run: Run, context: PlotContext): TableData;
  /** One sentence for a screen reader. */
  summary(run: Run, context: PlotContext): string;
}

/** Something that a picture needs and no topic carries: a request of the feed, asked again while somebody looks. */
export interface PlotQuestion {
  /** What is asked about; the same is asked again only after a while. */
  readonly about: string;
  readonly name: string;
  readonly args: Record<string, Scalar>;
  /** Keep the answer beside the run. */
  take(answer: Scalar): void;
  /** There was none, for a reason in words. */
  fail(reason: string): void;
}

/** A plot of up to about 1,000 marks: a Vega-Lite spec with named datasets. */
export interface VegaPlot extends PlotBase {
  readonly view: 'vega';
  /** Its time axis is that of a timeline of the same run, where one is in view. */
  readonly sharesTime?: boolean;
  /** What the picture needs besides topics; nothing where it is missing. */
  question?(run: Run, context: PlotContext): PlotQuestion | null;
  /** The picture of the run as it is; called once for each drawing. */
  picture(run: Run, context: PlotContext, size: VegaSize): VegaPicture;
}

/** The timeline of tasks by worker thread. */
export interface TimelinePlot extends PlotBase {
  readonly view: 'timeline';
}

/** A flame graph of a statistical profile; options `prefix` and `worker` of the pane choose what counts. */
export interface FlamePlot extends PlotBase {
  readonly view: 'flame';
  /** The topic that is drawn. */
  readonly topic: 'profile' | 'loops';
}

/** A graph: tasks, or groups of them, with what depends on what. */
export interface GraphPlot extends PlotBase {
  readonly view: 'graph';
  picture(run: Run, context: PlotContext): GraphPicture;
}

/** Everything known of one task, which `key` or `number` of {@link PlotContext.saved} names. */
export interface TaskPlot extends PlotBase {
  readonly view: 'task';
}

/** A plot that is a table. */
export interface TablePlot extends PlotBase {
  readonly view: 'table';
}

/** Any plot. */
export type Plot = VegaPlot | TimelinePlot | FlamePlot | GraphPlot | TaskPlot | TablePlot;
