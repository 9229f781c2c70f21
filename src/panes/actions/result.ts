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

/**
 * Show how an action ends, in place of its notification of progress.
 *
 * @param act - returns a message about the result; '' if there is nothing to say
 * @param progress - returns the notification of progress; '' if there is none
 * @returns whether it succeeded
 */
export async function showEnd(act: () => Promise<string>, progress: () => string): Promise<boolean> {
  try {
    const message = await act();
    if (message !== '') {
      showResult(progress(), message, 'success', { autoClose: 5000 });
    }
    return true;
  } catch (error) {
    showResult(progress(), messageOf(error), 'error', { autoClose: false });
    return false;
  }
}

/** Tell the user that something failed that has no notification of its own. */
export function showFailure(error: unknown): void {
  Notification.warning(messageOf(error), { autoClose: 8000 });
}
