/** Charts of horizontal bars in rows: most plots of workers and functions. */
export { barPicture, rowPicture } from './data';
export { barMargins, barPitch, barPlace, layBars, readablePitch, stackedPlace, withTicks } from './layout';
export type { Bar, BarChart, BarColumn, BarLine, BarPlace, BarRow, BarSegment, BarText } from './model';
