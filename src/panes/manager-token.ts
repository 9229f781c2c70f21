import { Token } from '@lumino/coreutils';
import type { PaneManager } from './manager';

/** The manager of panes, for the sidebar; other extensions use `IDaskPanes`. */
export const IPaneManager = new Token<PaneManager>('dask-panes:IPaneManager', 'Makes, finds and arranges Dask panes.');
