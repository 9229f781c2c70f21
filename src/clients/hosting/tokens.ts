import { Token } from '@lumino/coreutils';
import type { HostedClusters } from './model';

/** Clusters in dedicated kernels; see {@link HostedClusters}. */
export const IHostedClusters = new Token<HostedClusters>(
  'dask-panes:IHostedClusters',
  'The Dask clusters that live in a kernel of their own.'
);
