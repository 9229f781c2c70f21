import type { KernelMessage } from '@jupyterlab/services';

/** iopub comm id that is never opened: see `bridge/dask_panes/kernel/channel/channel.py`. */
const ANNOUNCEMENT = 'dask-panes-announce';

/** Whether a message announces that the bridge has been loaded in the kernel. */
export function isAnnouncement(message: KernelMessage.IIOPubMessage): boolean {
  return message.header.msg_type === 'comm_msg' && (message.content as { comm_id?: string }).comm_id === ANNOUNCEMENT;
}
