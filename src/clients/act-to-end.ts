import { mapOf } from '../base/untrusted';
import type { KernelAction, KernelEntry } from './model';

/**
 * Let a kernel change a cluster, and wait for the end, which may come later than the answer to a request.
 *
 * @param late - called with a message for users each time that the kernel says that the action goes on
 * @returns the result of the action
 * @throws Error with a message for users
 */
export async function actToEnd(
  kernel: Pick<KernelEntry, 'act'>,
  { name, target, args }: KernelAction,
  late: (message: string) => void
): Promise<unknown> {
  let value = await kernel.act({ name, target, args: { ...args, late: true } });
  let { outcome, message } = mapOf(value);
  while (typeof outcome === 'string') {
    late(String(message));
    value = await kernel.act({ name: 'outcome', target, args: { id: outcome } });
    ({ outcome, message } = mapOf(value));
  }
  return value;
}
