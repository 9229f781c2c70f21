import { Notification } from '@jupyterlab/apputils';
import { messageOf } from '../../base/untrusted';

/**
 * Replace a notification of progress by one of the result.
 *
 * It is another notification: JupyterLab loses an update of one that it has not drawn yet, and many an action ends before that.
 */
export function showResult(
  id: string,
  message: string,
  type: 'success' | 'error',
  options: Pick<Notification.IOptions<never>, 'autoClose' | 'actions'>
): void {
  Notification.dismiss(id);
  Notification.emit(message, type, options);
}

/** Tell the user that something failed that has no notification of its own. */
export function showFailure(error: unknown): void {
  Notification.warning(messageOf(error), { autoClose: 8000 });
}
