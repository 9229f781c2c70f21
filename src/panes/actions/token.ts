import { Token } from '@lumino/coreutils';
import type { Actor } from './actor';

/** Actions on clusters, for panes, cards and the sidebar; other extensions use the commands. */
export const IActor = new Token<Actor>('dask-panes:IActor', 'Retires workers, cancels tasks and restarts clusters of Dask.');
