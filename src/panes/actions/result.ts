import { Notification } from '@jupyterlab/apputils';
import { messageOf } from '../../base/untrusted';

/**
 * Replace a notification of progress by one of the result; if the user has dismissed it meanwhile, show another one.
 */
export function showResult(
  id: string,
  message: string,
  type: 'success' | 'error',
  options: Pick<Notification.IOptions<never>, 'autoClose' | 'actions'>
): void {
  if (!Notification.update({ id, message, type, ...options })) {
    Notification.emit(message, type, options);
  }
}

/** Tell the user that something failed that has no notification of its own. */
export function showFailure(error: unknown): void {
  Notification.warning(messageOf(error), { autoClose: 8000 });
}
