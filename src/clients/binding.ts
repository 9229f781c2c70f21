import { mapOf } from '../base/untrusted';
import type { Binding, ClientKind, Clients } from './model';

/** The binding that follows the active notebook. */
export const FOLLOW: Binding = { follow: true };

/**
 * The binding that shows a client. It follows if that is the followed client, so that what shows it continues with the next
 * client of the notebook.
 */
export function bindingTo(clients: Clients, path: string, client: string, kind: ClientKind): Binding {
  const followed = clients.resolve(FOLLOW, kind);
  const kernelAt = (at: string): string | undefined => clients.kernels.find(kernel => kernel.path === at)?.kernelId;
  // Notebooks may share a kernel, and its clients.
  const same = followed?.info.key === client && (followed.path === path || kernelAt(followed.path) === kernelAt(path));
  return same ? FOLLOW : { follow: false, path, client };
}

/**
 * Path of the notebook whose client panes that follow show, if that is another one than `client`; else `null`. While a pane still
 * shows the active notebook's closed client, panes that follow stay with it instead of moving to another notebook's.
 */
export function panesStayWith(clients: Clients, client: string): string | null {
  const shown = clients.resolve(FOLLOW);
  return shown === null || shown.info.key === client ? null : shown.path;
}

/** Whether two bindings are equal. */
export function sameBinding(a: Binding, b: Binding): boolean {
  return a.follow || b.follow ? a.follow === b.follow : a.path === b.path && a.client === b.client;
}

/** Read a binding from a layout restorer or a command; anything malformed means "follow". */
export function readBinding(value: unknown): Binding {
  const { path, client } = mapOf(value);
  return typeof path === 'string' && typeof client === 'string' ? { follow: false, path, client } : FOLLOW;
}

/** File name of the kernel at a path, for display. */
export function nameOf(clients: Clients, path: string): string {
  return clients.kernels.find(kernel => kernel.path === path)?.name ?? path.slice(path.lastIndexOf('/') + 1);
}
