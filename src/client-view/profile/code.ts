/** What is loaded with the first finished profiler: plots and their style. */
import '../../../style/base.css';
import '../../../style/pane.css';
import '../../../style/views.css';
import '../../../style/timeline.css';
import '../../../style/timeline-controls.css';
import '../../../style/timeline-minimap.css';
import '../../../style/event-marks.css';
import '../../../style/selection.css';
import '../../../style/client-view.css';

export { pageStyle } from '../../base/page-style';
export { RenderedProfile } from './rendered';
