import type { KernelMessage } from '@jupyterlab/services';

/** iopub comm id that nobody opens: see `bridge/dask_panes/kernel/channel.py`. */
const ANNOUNCEMENT = 'dask-panes-announce';

/** Whether a message says that the bridge is in the kernel now. */
export function isAnnouncement(message: KernelMessage.IIOPubMessage): boolean {
  return message.header.msg_type === 'comm_msg' && (message.content as { comm_id?: string }).comm_id === ANNOUNCEMENT;
}
