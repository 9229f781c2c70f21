/** Icons of panes and sidebar: drawn here, recoloured by themes through JupyterLab's `jp-icon` classes. */
import { LabIcon } from '@jupyterlab/ui-components';
import { STREAM_ICON } from '../plot/icon';
import type { PlotFacts } from '../plot/plot';

const draw = (name: string, body: string, classes = 'jp-icon3'): LabIcon =>
  new LabIcon({
    name: `dask-panes:${name}`,
    svgstr: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" width="16"><g class="${classes}" fill="#616161">${body}</g></svg>`
  });

/** The project's logo. */
export const daskPanesIcon = draw('stream', STREAM_ICON);

/** The logo with a record dot: a recording. */
export const recordingIcon = draw(
  'recording',
  '<path d="M1 2h6v2.400H1zm8 0h6v2.400H9zM1 6.800h3.400v2.400H1zm5.400 0H9v2.400H6.400zM1 11.600h6v2.400H1z"/><path fill-rule="evenodd" d="M12 8.500a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7zm0 1.200a2.300 2.300 0 1 0 0 4.600 2.300 2.300 0 0 0 0-4.600z"/><path d="M12 10.800a1.200 1.200 0 1 1 0 2.400 1.200 1.200 0 0 1 0-2.400z"/>',
  'jp-icon3 jp-icon-selectable'
);

const icons = new Map<string, LabIcon>();

/** Icon of a plot. */
export function plotIcon({ id, icon }: PlotFacts): LabIcon {
  const known = icons.get(id) ?? draw(`plot-${id}`, icon);
  icons.set(id, known);
  return known;
}

/** Two bars. */
export const pauseIcon = draw('pause', '<path d="M4 3h3v10H4zm5 0h3v10H9z"/>');
/** A triangle. */
export const resumeIcon = draw('resume', '<path d="M4.500 2.500L13 8l-8.500 5.500z"/>');
/** Three dots. */
export const moreIcon = draw(
  'more',
  '<circle cx="3" cy="8" r="1.400"/><circle cx="8" cy="8" r="1.400"/><circle cx="13" cy="8" r="1.400"/>'
);
