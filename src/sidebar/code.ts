/** What is loaded when the sidebar is first visible, or a cluster is asked for: their code and their style. */
import '../../style/base.css';
import '../../style/forms.css';
import '../../style/sidebar.css';
import '../../style/sidebar-plots.css';

export { pageStyle } from '../base/page-style';
export { openClusterMenu } from '../panes/actions/items';
export { scaleActions } from './clients/scale-action';
export { hostFolder, hostSpecs, insertCell } from './hosting/environment';
export { clusterKinds, NO_KINDS, readConfiguration } from './hosting/kinds';
export { HostingController } from './hosting/controller';
export { DaskSidebar } from './sidebar';
