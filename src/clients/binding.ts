import type { Binding, Clients } from './model';

/** The binding that follows the active notebook. */
export const FOLLOW: Binding = { follow: true };

/** Whether two bindings are equal. */
export function sameBinding(a: Binding, b: Binding): boolean {
  return a.follow || b.follow ? a.follow === b.follow : a.path === b.path && a.client === b.client;
}

/** Read a binding from a layout restorer or a command; anything malformed means "follow". */
export function readBinding(value: unknown): Binding {
  if (typeof value === 'object' && value !== null && 'path' in value && 'client' in value) {
    const { path, client } = value;
    if (typeof path === 'string' && typeof client === 'string') {
      return { follow: false, path, client };
    }
  }
  return FOLLOW;
}

/** File name of the kernel at a path, for display. */
export function nameOf(clients: Clients, path: string): string {
  return clients.kernels.find(kernel => kernel.path === path)?.name ?? path.slice(path.lastIndexOf('/') + 1);
}
