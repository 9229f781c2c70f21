/**
 * What a plot is. A plot is a pure description: which topics it needs and how the state of a run becomes something
 * that a view can draw. Adding a plot is adding one file and one line in `plots/index.ts`; sidebar, palette,
 * restorer, report and docs take it from there. Nothing here imports JupyterLab, Lumino widgets or Vega.
 */
import type { Theme, Pattern, Colour, Swatch } from '../base/theme';
import type { Scalar } from '../feed/frame';
import type { TaskState, Topic } from '../feed/schema';
import type { Cleared } from '../run/cleared';
import type { GraphScope } from '../run/graph/graph-part';
import type { Links } from '../run/graph/links';
import type { Run } from '../run/run';
import type { Keeping } from './kept';

/** Groups of the sidebar, in its order. */
export const PLOT_GROUPS = ['tasks', 'memory', 'workers', 'time', 'transfers', 'diagnosis', 'system', 'local', 'gpu'] as const;
/** A group of the sidebar. */
export type PlotGroup = (typeof PLOT_GROUPS)[number];

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

/** A cell of a table: the text that is shown and the value that sorts. All text is shown as text. */
export interface Cell {
  readonly text: string;
  readonly value: number | string;
  /** A sign before the text (state of a worker …). */
  readonly sign?: string;
  readonly tone?: 'warn' | 'bad';
  /** Recent values, drawn as a sparkline before the text. */
  readonly spark?: readonly number[];
  /** Value at the top of the sparkline; the greatest of its own values where it is missing or less. */
  readonly sparkEnd?: number;
  /** Segments of a bar before the text, in shares of the whole, with an optional mark at a share. */
  readonly bar?: readonly { readonly share: number; readonly colour: Colour; readonly pattern?: Pattern }[];
}

/** A column of a table. */
export interface TableColumn {
  readonly id: string;
  readonly label: string;
  /** Explains the column, with its unit. */
  readonly tooltip?: string;
  readonly align: 'left' | 'right';
}

/** Rows and columns as any plot can show them ("Show as table"). */
export interface TableData {
  readonly columns: readonly TableColumn[];
  /** Cells by column, rows in the plot's own order; `id` is stable, so that a sort or selection survives an update. */
  readonly rows: readonly { readonly id: string; readonly cells: readonly Cell[] }[];
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

/** A JSON value: specs and datasets are plain data. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The room that a picture has, in CSS pixels. */
export interface VegaSize {
  readonly width: number;
  readonly height: number;
}

/** Room and rows that are in view; pictures without rows ignore the latter. */
export interface VegaFrame extends VegaSize {
  readonly firstRow: number;
  readonly endRow: number;
}

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

/** Heights above and below the rows that stay in place while the rows scroll, in CSS pixels. */
export interface RowMargins {
  readonly top: number;
  readonly bottom: number;
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

/** Rows that scroll where there is no room for all. */
export interface VegaRows {
  readonly count: number;
  /** Height of a row, in CSS pixels. */
  readonly pitch: number;
  readonly margins: RowMargins;
}

/** What is drawn in a frame. */
export interface VegaDrawing {
  /** Values of the spec's parameters: axis end, edges, whatever may change without compiling. */
  readonly params: Readonly<Record<string, number>>;
  /**
   * Rows of the named datasets. The view honours two fields of a row: `tooltip` ({@link TooltipContent}) and `click`
   * (`{plot, args}`: the plot to open with its arguments).
   */
  readonly data: Readonly<Record<string, readonly Readonly<Record<string, Json>>[]>>;
}

/** A picture of one moment of a run. */
export interface VegaPicture {
  /** A short text that changes when the spec has to be compiled again, theme, size and parameters aside. */
  readonly key: string;
  /** The spec, which refers to datasets and parameters by name; called only when it is compiled. */
  spec(): Json;
  /** Rows of a picture that has one for each worker or function; nothing where it has none. */
  readonly rows?: VegaRows;
  draw(frame: VegaFrame): VegaDrawing;
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
