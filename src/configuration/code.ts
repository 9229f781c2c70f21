/** What is loaded when JupyterLab's settings first show Dask's configuration. */
import '../../style/forms.css';

export { pageStyle } from '../base/page-style';
export { ConfigurationView } from './view';
