/**
 * The plugins of the JupyterLab extension, and the exports of `dask-panes` for other extensions: the tokens, and the types of
 * what they register.
 */
import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import { clientViewPlugins } from './client-view';
import { hostingPlugin } from './clients/hosting/plugin';
import { clientsPlugin, recordingsPlugin } from './clients/plugin';
import { configurationPlugin } from './configuration/plugin';
import { actionsPlugin } from './panes/actions/plugin';
import { managerPlugin, panesPlugin } from './panes/plugin';
import { recordingPlugin } from './recording/plugin';
import { placesPlugin } from './sidebar/places/plugin';
import { sidebarPlugin } from './sidebar/plugin';

const plugins: JupyterFrontEndPlugin<unknown>[] = [
  recordingsPlugin,
  clientsPlugin,
  hostingPlugin,
  actionsPlugin,
  managerPlugin,
  panesPlugin,
  recordingPlugin,
  configurationPlugin,
  sidebarPlugin,
  placesPlugin,
  ...clientViewPlugins
];

export default plugins;
export type { Colour, Pattern, Theme } from './base/theme';
export type { Binding, Clients, KernelEntry, LiveClient } from './clients/model';
export { IClients } from './clients/tokens';
export type { Feed, FeedState } from './feed/feed';
export type { ClientInfo } from './feed/kernel/kernel-channel';
export type { Topic } from './feed/schema';
export type { Area, SplitArea, TabArea } from './panes/docking/dock-tree';
export type { PaneLayout } from './panes/docking/layouts';
export { type DaskPanes, IDaskPanes, type OpenArgs, type OpenPane } from './panes/tokens';
export type {
  Cell,
  CellPlace,
  Chosen,
  EmptyText,
  GraphBox,
  GraphPicture,
  GraphPlot,
  Json,
  KeyedRows,
  LegendItem,
  LongRows,
  LongTable,
  Plot,
  PlotChoice,
  PlotContext,
  PlotExample,
  PlotGroup,
  PlotLink,
  PlotOption,
  PlotQuestion,
  RowDetail,
  RowMargins,
  RowPairs,
  SchedulerKind,
  Subject,
  TableColumn,
  TableData,
  TablePlot,
  TableRow,
  TimeAxis,
  TitlePart,
  TooltipContent,
  TooltipLink,
  Translate,
  VegaDrawing,
  VegaFrame,
  VegaPicture,
  VegaPlot,
  VegaRows,
  VegaSize
} from './plot/plot';
export type { Cleared, Sums } from './run/cleared';
export type { Run } from './run/run';
export type {
  DurationRange,
  Period,
  SelectedComputation,
  SelectedRows,
  Selection,
  ThreadName
} from './run/selection/selection';
export type { SharedSelection } from './run/selection/shared-selection';
