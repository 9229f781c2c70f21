/** Icons of panes and sidebar: drawn here, recoloured by themes through JupyterLab's `jp-icon` classes. */
import { LabIcon } from '@jupyterlab/ui-components';
import type { Plot } from '../plot/plot';

const draw = (name: string, body: string, classes = 'jp-icon3'): LabIcon =>
  new LabIcon({
    name: `dask-panes:${name}`,
    svgstr: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" width="16"><g class="${classes}" fill="#616161">${body}</g></svg>`
  });

/** Staggered bars on lanes: the product, and the task stream. */
export const daskPanesIcon = draw(
  'stream',
  '<path d="M1 2h6v2.4H1zm8 0h6v2.4H9zM1 6.8h3.4v2.4H1zm5.4 0H12v2.4H6.4zm7.6 0h1v2.4h-1zM1 11.6h8v2.4H1zm10 0h4v2.4h-4z"/>'
);

/** The same with a dot that records: a recording. */
export const recordingIcon = draw(
  'recording',
  '<path d="M1 2h6v2.400H1zm8 0h6v2.400H9zM1 6.800h3.400v2.400H1zm5.400 0H9v2.400H6.400zM1 11.600h6v2.400H1z"/><path fill-rule="evenodd" d="M12 8.500a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7zm0 1.200a2.300 2.300 0 1 0 0 4.600 2.300 2.300 0 0 0 0-4.600z"/><path d="M12 10.800a1.200 1.200 0 1 1 0 2.400 1.200 1.200 0 0 1 0-2.400z"/>',
  'jp-icon3 jp-icon-selectable'
);

/** Two axes, under a course. */
const AXES = '<path d="M1 1.500h1.200v11.300H15V14H1z"/>';

const ICONS: Readonly<Record<string, LabIcon>> = {
  'task-stream': daskPanesIcon,
  progress: draw(
    'progress',
    '<path d="M1 2h11v3H1zm0 4.5h7v3H1zM1 11h4v3H1z"/><path fill-opacity=".4" d="M12 2h3v3h-3zM8 6.5h7v3H8zM5 11h10v3H5z"/>'
  ),
  'cluster-memory': draw(
    'stored',
    '<path d="M1 4h9v8H1z"/><path fill-opacity=".4" d="M10 4h4v8h-4z"/><path d="M14.4 3H15.4v10h-1z"/>'
  ),
  'workers-memory': draw(
    'stored-workers',
    '<path d="M1 2h7v3H1zm0 4.5h10v3H1zM1 11h5v3H1z"/><path fill-opacity=".4" d="M8 2h3v3H8zm3 4.5h2v3h-2zM6 11h4v3H6z"/><path d="M14.4 1.5h1v13h-1z"/>'
  ),
  'memory-by-key': draw(
    'stored-functions',
    '<path d="M1 2h8v3H1z"/><path fill-opacity=".65" d="M1 6.500h12v3H1z"/><path fill-opacity=".35" d="M1 11h5v3H1z"/>'
  ),
  nprocessing: draw(
    'processing',
    '<path d="M1 2h9v3H1zm0 4.5h5v3H1zM1 11h7v3H1z"/><path fill-opacity=".4" d="M10 2h5v3h-5zM6 6.5h3v3H6zM8 11h4v3H8z"/>'
  ),
  cpu: draw(
    'cpu',
    '<path fill-rule="evenodd" d="M4 3h8a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zm.5 1.5v7h7v-7z"/><path d="M6 6h4v4H6zM5 1h1v1.5H5zm2.5 0h1v1.5h-1zM10 1h1v1.5h-1zM5 13.5h1V15H5zm2.5 0h1V15h-1zm2.5 0h1V15h-1zM1 5h1.5v1H1zm0 2.500h1.5v1H1zM1 10h1.5v1H1zM13.500 5H15v1h-1.500zm0 2.500H15v1h-1.500zm0 2.500H15v1h-1.500z"/>'
  ),
  occupancy: draw(
    'occupancy',
    '<path fill-rule="evenodd" d="M8 1.500a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13zm0 1.400a5.100 5.100 0 1 0 0 10.200A5.100 5.100 0 0 0 8 2.900z"/><path d="M7.400 4.500h1.200v3.300l2.400 1.500-.6 1-3-1.900z"/>'
  ),
  'cpu-timeseries': draw(
    'cpu-course',
    `${AXES}<path d="M3 11l3-5 2.500 3L11 4l3.500 4v1.800L11 6.400 8.600 11.300 6.200 8.300 4 12H3z"/>`
  ),
  'memory-timeseries': draw(
    'memory-course',
    `${AXES}<path fill-opacity=".4" d="M3 12V9.500l4-2L10 8l4.500-4.500V12z"/><path d="M3 9l4-2 3 .5 4.500-4.500v1.500L10.400 9 7 8.400l-4 2z"/>`
  ),
  'network-timeseries': draw('network-course', `${AXES}<path d="M8 2.500L11 5.500H9v6H7v-6H5zM12 6h1.500v5.500H12z"/>`),
  'disk-timeseries': draw('disk-course', `${AXES}<path d="M4 8h2v4H4zm3-3h2v7H7zm3 4h2v3h-2zm3-6h1.500v9H13z"/>`),
  'compute-time-per-key': draw('function-time', '<path d="M1 2h13v3H1zm0 4.500h8v3H1zM1 11h4v3H1z"/>'),
  'aggregate-time-per-action': draw(
    'action-time',
    '<path d="M1 2h13v3H1z"/><path fill-opacity=".65" d="M1 6.500h6v3H1z"/><path fill-opacity=".35" d="M1 11h3v3H1z"/>'
  ),
  events: draw(
    'events',
    '<path d="M1 7.300h14v1.400H1z"/><circle cx="4" cy="8" r="2.200"/><circle cx="9" cy="8" r="2.200"/><path d="M12.500 3h1.400v10h-1.400z"/>'
  ),
  'local-tasks': draw(
    'local-tasks',
    '<path d="M1 1.500h14v9H1zm1.200 1.200v6.600h11.600V2.700zM5 12h6v1.200h1.500v1.300h-9v-1.300H5z"/><path d="M3.500 4H8v1.500H3.500zM9 4h3.500v1.500H9zM3.500 6.500h2.200V8H3.500zm3.300 0h5.700V8H6.800z"/>'
  ),
  'local-resources': draw(
    'local-resources',
    `${AXES}<path d="M14 1.500h1v11h-1z"/><path d="M3 10.500l3-4 2 2 4.500-5v1.900L8 10.400l-2-2-3 4z"/>`
  ),
  'local-cache': draw('local-cache', `${AXES}<path d="M3 11h2V8h2V5h2V3h2.200v6H14v1.200H10V4.200h-.800v2H8v3H6.200v3H3z"/>`),
  'workers-network': draw(
    'host-network',
    '<path d="M1 2h9v2.200H1zm0 5h12v2.200H1zm0 5h6v2.200H1z"/><path fill-opacity=".5" d="M1 4.600h5v1.400H1zm0 5h9v1.400H1z"/>'
  ),
  'workers-disk': draw(
    'host-disk',
    '<path fill-rule="evenodd" d="M2 3h12v10H2zm1.300 1.300v4.400h9.400V4.300zm7.700 5.700v1.600h1.700V10z"/>'
  ),
  'workers-transfer-bytes': draw(
    'transfer',
    '<path d="M10.500 1.500L15 5l-4.500 3.500V6H1V4h9.500zM5.500 7.500V10H15v2H5.500v2.500L1 11z"/>'
  ),
  profile: draw('profile', '<path d="M1 2h14v3H1zm0 4h9v3H1zm10 0h4v3h-4zM1 10h4v3H1zm5 0h3v3H6z"/>'),
  'profile-server': draw(
    'event-loops',
    '<path d="M1 2h14v3H1zm0 4h9v3H1z"/><path fill-opacity=".5" d="M1 10h4v3H1z"/><circle cx="12" cy="10.500" r="3"/>'
  ),
  'task-graph': draw(
    'graph',
    '<path d="M4 7.300h4v1.400H4zM8.500 7l3-3.500 1 .900-3 3.500zm0 2l3 3.500 1-.900-3-3.500z"/><circle cx="3" cy="8" r="2.200"/><circle cx="8" cy="8" r="2.200"/><circle cx="13" cy="3.500" r="2.200"/><circle cx="13" cy="12.500" r="2.200"/>'
  ),
  'task-groups': draw(
    'groups',
    '<path fill-rule="evenodd" d="M1 2h6v4H1zm1.200 1.200v1.600h3.600V3.200zM1 10h6v4H1zm1.200 1.200v1.600h3.600v-1.600zM10 6h5v4h-5zm1.200 1.200v1.600h2.600V7.200zM7 3.500l3.500 3-.800.900L7 5zm0 9l3.500-3-.800-.900L7 11z"/>'
  ),
  task: draw(
    'task',
    '<path fill-rule="evenodd" d="M2 1.500h12v13H2zm1.200 1.200v10.600h9.600V2.700z"/><path d="M4.500 4.500h7v1.200h-7zm0 2.800h7v1.200h-7zm0 2.800h4v1.200h-4z"/>'
  ),
  workers: draw(
    'workers',
    '<path fill-rule="evenodd" d="M1 2h14v12H1zm1.200 3.800v2.200h3.600V5.800zm4.800 0v2.200h6.800V5.800zM2.200 9.200v3.600h3.600V9.200zm4.800 0v3.600h6.800V9.200z"/>'
  )
};

const BY_VIEW: Readonly<Record<Plot['view'], LabIcon>> = {
  timeline: ICONS['task-stream'],
  flame: ICONS.profile,
  table: ICONS.workers,
  vega: ICONS['workers-memory'],
  graph: ICONS['task-graph'],
  task: ICONS.task
};

/** Icon of a plot: its own, else one for the way in which it is drawn. */
export function plotIcon(plot: Plot): LabIcon {
  return ICONS[plot.id] ?? BY_VIEW[plot.view];
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
