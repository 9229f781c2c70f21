/** Names by which outputs ask for our views. */

/** MIME type of a displayed client or cluster (`bridge/dask_panes/kernel/cell/display.py`). */
export const MIME_TYPE = 'application/vnd.dask-panes.client+json';
/** MIME type of finished profilers (`bridge/dask_panes/local/profilers.py`). */
export const PROFILE_MIME_TYPE = 'application/vnd.dask-panes.profile+json';
