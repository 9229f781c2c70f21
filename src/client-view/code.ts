/** What is loaded with the first displayed client: its views and their style. */
import '../../style/base.css';
import '../../style/forms.css';
import '../../style/client-view.css';
import '../../style/event-marks.css';

export { pageStyle } from '../base/page-style';
export { RenderedClient } from './cell/rendered';
