/** Names by which outputs ask for our views. */

/** MIME type of a displayed client or cluster (`bridge/dask_panes/kernel/cell/display.py`). */
export const MIME_TYPE = 'application/vnd.dask-panes.client+json';
/** MIME type of finished profilers (`bridge/dask_panes/local/profilers.py`). */
export const PROFILE_MIME_TYPE = 'application/vnd.dask-panes.profile+json';

/**
 * Module and version of the classes requested by Python (`bridge/dask_panes/kernel/cell/widget.py`). Other front ends load
 * a module of this name from a public server of npm packages: npm refuses names that begin with an underscore, so nobody
 * can put one there.
 */
export const WIDGET_MODULE = '_dask-panes';
/** Version of the traits, not of the package: kernel and page may have different releases. */
export const WIDGET_MODULE_VERSION = '0.1.0';
