/** What is loaded with the first recording: its document and its style. */
import '../../style/base.css';
import '../../style/recording.css';

export { pageStyle } from '../base/page-style';
export { RecordingView } from './view';
