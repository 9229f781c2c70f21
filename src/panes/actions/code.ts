/** What is loaded with the first action. */
import '../../../style/actions.css';

export { carryOut } from './carry-out';
