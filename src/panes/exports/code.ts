/** What is loaded when the first picture is saved or copied. */
export { domToBlob } from 'modern-screenshot';
export { svgOf } from './svg/pane-svg';
