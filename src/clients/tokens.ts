import { Token } from '@lumino/coreutils';
import type { Clients } from './model';
import type { Recordings } from './recordings/recordings';

/** Which kernels and clients exist in this JupyterLab tab; see {@link Clients}. */
export const IClients = new Token<Clients>(
  'dask-panes:IClients',
  'The kernels and Dask clients of this tab, and which of them a pane follows.'
);

/** The recordings that are open in this JupyterLab tab; see {@link Recordings}. */
export const IRecordings = new Token<Recordings>('dask-panes:IRecordings', 'The recordings of Dask clusters that are open.');
