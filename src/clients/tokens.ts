import { Token } from '@lumino/coreutils';
import type { Clients } from './model';

/** Which kernels and clients exist in this JupyterLab tab; see {@link Clients}. */
export const IClients = new Token<Clients>(
  'dask-panes:IClients',
  'The kernels and Dask clients of this tab, and which of them a pane follows.'
);
