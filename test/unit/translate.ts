export { english as translate } from '../../src/plot/translation';
