/**
 * The interface of plots. A plot is a pure description: the topics it needs and how the state of a run becomes
 * something that a view can draw. Sidebar, palette, restorer, reports and the page of plots take it from the list in
 * `plots/index.ts`; the steps are in `docs/development.md`, "Add a plot". Nothing here imports JupyterLab, Lumino widgets
 * or Vega.
 */
import type { Theme, Pattern, Colour } from '../base/theme';
import type { Milliseconds } from '../base/units';
import type { Topic } from '../feed/schema';
import type { Cleared, Sums } from '../run/cleared';
import type { Run } from '../run/run';
import type { Selection } from '../run/selection/selection';
import type { Keeping } from './kept';
import type { GraphPicture } from './graph-picture';
import type { Subject } from './tooltip';
import type { CellPlace, LongTable, PlotQuestion, RowDetail, RowPairs, TableData } from './table';
import type { PlotLink } from './tooltip';
import type { Translate } from './translation';
import type { VegaPicture, VegaSize } from './vega-picture';

export type { GraphBox, GraphPicture } from './graph-picture';
export type { Subject } from './tooltip';
export type {
  Cell,
  CellPlace,
  KeyedRows,
  LongRows,
  LongTable,
  PlotQuestion,
  RowDetail,
  RowPairs,
  TableColumn,
  TableData,
  TableRow
} from './table';
export type { PlotLink, TooltipContent, TooltipLink } from './tooltip';
export type { Translate } from './translation';
export type { Json, RowMargins, TimeAxis, VegaDrawing, VegaFrame, VegaPicture, VegaRows, VegaSize } from './vega-picture';

/** Titles of the sidebar's groups, in English, in display order. */
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
/** Groups of the sidebar, in display order. */
export const PLOT_GROUPS = Object.keys(GROUP_TITLES) as readonly PlotGroup[];

/** A `dask.distributed` scheduler, or one of Dask's local schedulers, which run in the user's process. */
export type SchedulerKind = 'cluster' | 'local';

/** A part of the title line: live counts, optionally emphasized or marked as a warning. */
export interface TitlePart {
  readonly text: string;
  readonly tone?: 'strong' | 'warn' | 'bad';
  /** The plot that explains it: the text is a link. */
  readonly opens?: PlotLink;
  /** Whether the words may be cut where there is little room, as code may. No figure may: none of it has a space. */
  readonly cut?: boolean;
}

/** An entry of the legend above a plot. */
export interface LegendItem {
  /** The item that a click filters by: an opaque id, stable for the lifetime of the run. */
  readonly id: string;
  readonly label: string;
  readonly colour: Colour;
  readonly pattern: Pattern;
  /** Drawn as a pale fill with an outline in the full colour. */
  readonly outlined?: boolean;
  /** It only explains: nothing is filtered by it. */
  readonly inert?: boolean;
}

/** Text of a pane without data: why there is none, and how to get some. */
export interface EmptyText {
  readonly head: string;
  readonly body: string;
  /** Whether `body` says what will come: it is shown only where time goes on. */
  readonly awaited?: boolean;
}

/** Everything that a plot may use to describe a picture; plots use no globals. */
export interface PlotContext extends Keeping {
  readonly theme: Theme;
  readonly trans: Translate;
  /** Options of this pane that its plot declares (`sort`, `group` …), by id. */
  readonly options: Readonly<Record<string, string>>;
  /** Legend items that the user switched off. */
  readonly hidden: ReadonlySet<string>;
  /** What is selected in all views of the run: a plot that shows it has {@link VegaPlot.followsSelection}. */
  readonly selection: Selection;
  /**
   * State kept by the view and arguments the pane was opened with, such as the key of a task; undefined without a pane.
   */
  readonly saved?: Readonly<Record<string, string | number | boolean>>;
  /** The point at which the user cleared this pane's history, possibly of another run: see `clearedOf`. */
  readonly cleared?: Cleared | null;
}

/** A choice in the status line: sort, grouping, colour. */
export interface PlotOption {
  readonly id: string;
  readonly label: string;
  readonly choices: readonly PlotChoice[];
  readonly initial: string;
  /** Whether a pane lists it; default: always. */
  offered?(run: Run): boolean;
  /** Additional choices known only from the run (functions, workers); their labels are not translated. */
  found?(run: Run): readonly PlotChoice[];
  /** Label of a chosen value that {@link found} does not list any more; `null` for the value itself. */
  labelOf?(run: Run, value: string): string | null;
}

/** One value of an option. */
export interface PlotChoice {
  readonly value: string;
  readonly label: string;
}

/** An option of a plot with one of its values. */
export interface Chosen {
  readonly option: string;
  readonly value: string;
}

/** A picture that shows how a plot looks, for "How to read this plot". */
export interface PlotExample {
  /** URL of the picture in light themes; in all themes without {@link dark}. */
  readonly light: string;
  readonly dark?: string;
  /** What the picture shows, for those who cannot see it. */
  readonly alt: string;
  /** In CSS pixels: its place is kept while it is loaded. */
  readonly size?: { readonly width: number; readonly height: number };
}

/** Fields common to all plots. Texts are in English; the code that shows them translates them. */
interface PlotBase {
  /** Lower case with hyphens, same as Dask's dashboard page where there is one. Saved in layouts and notebooks. */
  readonly id: string;
  /** Display name in the sidebar, on tabs and in reports. */
  readonly title: string;
  /** A shorter name for a tab that has little room, beside others that tell what it is about; default: the title. */
  readonly short?: string;
  /** A plain description of what it shows. */
  readonly caption: string;
  readonly group: PlotGroup;
  /** Content of a 16 × 16 SVG in one colour; see `icon.ts`. */
  readonly icon: string;
  /** Kind of scheduler that it shows; the default is a cluster. */
  readonly about?: SchedulerKind;
  /** What workers must have: the sidebar lists it only where one has it. */
  readonly needs?: 'gpu';
  /** A button above the picture of a live pane: the action that gives the plot its data. */
  readonly offers?: 'benchmark';
  /** It sends requests to a live scheduler, so recordings and reports leave it out. */
  readonly needsScheduler?: boolean;
  /** A report has a separate page for it. */
  readonly wholePage?: boolean;
  /** Additional search terms. */
  readonly synonyms: readonly string[];
  readonly topics: readonly Topic[];
  /** Topics that it needs besides while an option has a value: they cost nothing while it has another one. */
  readonly choiceTopics?: readonly (Chosen & { readonly topics: readonly Topic[] })[];
  /** Two or three sentences: what it shows and how a problem looks. An empty line begins a paragraph. */
  readonly howToRead: string;
  /** Shown below {@link howToRead}. Plots of other extensions set it; ours have pictures in `style/pictures`. */
  readonly example?: PlotExample;
  readonly options?: readonly PlotOption[];
  /** Minimum time between two computations for news of the run; by default 250 ms. */
  pace?(run: Run): Milliseconds;
  /**
   * The user can clear what has been by now; the plot then respects {@link PlotContext.cleared}. With an option: only while
   * that has the value.
   */
  readonly clearable?: true | Chosen;
  /**
   * Number of tasks hidden because they were cleared; by default, all that had arrived by then. `null` where it shows no single
   * tasks.
   */
  readonly clearedTasks?: ((run: Run, cleared: Cleared) => number) | null;
  /** The sums that it shows, which a cleared history begins from: see `grownBy`. */
  sums?(run: Run): Sums;
  /** Text while there is nothing to draw, else `null`. A topic without rows may never arrive: do not wait for it. */
  empty(run: Run, context: PlotContext): EmptyText | null;
  /** Live counts above the plot. */
  titleLine(run: Run, context: PlotContext): readonly TitlePart[];
  /** Entries of the legend; may be empty. */
  legend(run: Run, context: PlotContext): readonly LegendItem[];
  /** Missing or uncertain data, shown in the status line only when it applies. */
  notes(run: Run, context: PlotContext): readonly string[];
  /** The same data as table rows. */
  table(run: Run, context: PlotContext): TableData;
  /** Its rows, where there may be too many for {@link table}, which then has the newest only. */
  long?(run: Run, context: PlotContext): LongTable;
  /** What a row of the table stands for, where there are actions on it or it can be selected; `null` if it has gone. */
  acts?(run: Run, row: string): Subject | null;
  /** While an option has this value, rows stand for nothing that {@link acts} names: nothing of the plot follows a selection. */
  readonly inert?: Chosen;
  /** What a click on a row selects in all views of the run; `null` for nothing. Default: the tasks of what {@link acts} names. */
  selects?(run: Run, row: string): Partial<Selection> | null;
  /** Whether a row is outside the selection, in addition to what {@link acts} says of it: then it is dimmed. */
  leftOut?(run: Run, row: string): boolean;
  /** One sentence for a screen reader. */
  summary(run: Run, context: PlotContext): string;
  /** The same in steps, where a large run takes it more than a small part of a frame. */
  summarySteps?(run: Run, context: PlotContext): Generator<void, string, void>;
}

/** A plot of up to about 1,000 marks: a Vega-Lite spec with named datasets. */
export interface VegaPlot extends PlotBase {
  readonly view: 'vega';
  /** It shares its time axis with a visible timeline of the same run. */
  readonly sharesTime?: boolean;
  /**
   * It shows what the run's selection selects, or its period only, and is drawn again when that changes, or at the end of a
   * drag. With an option: only while that has the value.
   */
  readonly followsSelection?: true | 'period' | Chosen;
  /** Data that the picture needs in addition to topics, if any. */
  question?(run: Run, context: PlotContext): PlotQuestion | null;
  /** The picture of the run in its current state; called once per drawing. */
  picture(run: Run, context: PlotContext, size: VegaSize): VegaPicture;
}

/** The timeline of tasks by worker thread. */
export interface TimelinePlot extends PlotBase {
  readonly view: 'timeline';
}

/** A flame graph of a statistical profile; the pane's options `prefix` and `worker` filter it. */
export interface FlamePlot extends PlotBase {
  readonly view: 'flame';
  /** The topic to draw. */
  readonly topic: 'profile' | 'loops';
}

/** A graph of tasks, or of groups of tasks, and their dependencies. */
export interface GraphPlot extends PlotBase {
  readonly view: 'graph';
  picture(run: Run, context: PlotContext): GraphPicture;
}

/** All details of one task, identified by `key` or `number` in {@link PlotContext.saved}. */
export interface TaskPlot extends PlotBase {
  readonly view: 'task';
}

/** All details of one worker: the one that the pane's option `worker` names, else the selected one. */
export interface WorkerPlot extends PlotBase {
  readonly view: 'worker';
}

/** A plot that is a table. */
export interface TablePlot extends PlotBase {
  readonly view: 'table';
  /** What else a row belongs to, in addition to {@link acts}: it is dimmed where others are selected. */
  subjects?(run: Run, row: string): readonly Subject[];
  /** The plot that a double click or Enter on a row opens. */
  readonly opens?: string;
  /** Arguments of the plot that a row opens; `null` if the row opens none. Default: no arguments. */
  openArgs?(run: Run, row: string): Readonly<Record<string, string | number>> | null;
  /** Two rows can be picked, which a button and the context menu open together. */
  readonly pairs?: RowPairs;
  /** Everything about a row, shown below the table while the row is active; `null` for nothing. */
  detail?(run: Run, row: string, context: PlotContext): RowDetail | null;
  /** What {@link detail} needs in addition to topics, if any. */
  asks?(run: Run, row: string): PlotQuestion | null;
  /** The cell of a notebook that a row leads to, by a click on its cells that are marked so; `null` for none. */
  leads?(run: Run, row: string): CellPlace | null;
}

/** What holds the run back: causes with their cost, the evidence and the remedy. */
export interface AdvicePlot extends PlotBase {
  readonly view: 'advice';
}

/** What is shown of a plot before its code is needed: in the sidebar, the palette and a recording's document. */
export type PlotFacts = Pick<
  PlotBase,
  'id' | 'title' | 'caption' | 'group' | 'icon' | 'about' | 'needs' | 'needsScheduler' | 'synonyms' | 'topics'
> &
  Pick<Plot, 'view'>;

/** Any plot. */
export type Plot = VegaPlot | TimelinePlot | FlamePlot | GraphPlot | TaskPlot | WorkerPlot | TablePlot | AdvicePlot;
