/** What is loaded with the first pane: panes, plots and their style. */
import '../../style/base.css';
import '../../style/pane.css';
import '../../style/views.css';
import '../../style/timeline.css';
import '../../style/timeline-controls.css';
import '../../style/timeline-minimap.css';
import '../../style/event-marks.css';
import '../../style/selection.css';
import '../../style/flame.css';
import '../../style/graph.css';
import '../../style/advice.css';
import '../../style/advice-marks.css';

export { keepHiddenIn } from '../advice/hidden';
export { useShortcuts } from '../base/dom/keys';
export { pageStyle } from '../base/page-style';
export { plotById } from '../plots';
export { createTableView, createView } from '../views';
export { unknownName } from './docking/near-names';
export { LayoutPlacer } from './docking/placer';
export { placeBeside } from './docking/split-room';
export { addTabMenu } from './docking/tab-menu';
export { NotebookCauses } from './notebook/hidden-advice';
export { PlotPane } from './pane/pane';
export { NewDocuments } from './docking/new-documents';
