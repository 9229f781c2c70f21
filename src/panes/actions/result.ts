import { Notification } from '@jupyterlab/apputils';

/**
 * Show what became of something whose progress a notification shows, in its place or, if the user has dismissed it meanwhile, in another
 * one.
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
