/** Text and buttons for a lost connection to the Jupyter server. */
import type { Milliseconds } from '../../base/units';
import type { KernelEntry } from '../../clients/model';
import type { FeedState } from '../../feed/feed';
import type { Loss } from '../../feed/kernel/link-watch';
import type { Translate } from '../../plot/plot';
import type { MessageAction, PaneMessage } from '../../plot-frame/message';

/** After this long, a main thread that holds the GIL is reported like an unreachable kernel. */
const LONG_SILENCE: Milliseconds = 30_000;

/** The strip below a picture, or the text in its place. */
export function lossMessage(kernel: KernelEntry, trans: Translate): PaneMessage {
  const loss = kernel.loss ?? 'retrying';
  return { head: HEADS[loss](trans), body: BODIES[loss](trans), tone: 'bad', actions: lossActions(kernel, trans) };
}

/** The strip for a kernel that has not answered for long although its server does. */
export function silenceMessage(kernel: KernelEntry, feed: FeedState, now: Milliseconds, trans: Translate): PaneMessage | null {
  if (feed.silent !== 'kernel' || now - feed.answered < LONG_SILENCE) {
    return null;
  }
  return {
    head: trans.__('The kernel does not answer, but the Jupyter server does.'),
    body: trans.__('A call that holds the GIL may be running. If nothing is running, the connection to the kernel may be dead.'),
    actions: [{ label: trans.__('Reconnect'), run: () => kernel.reconnect?.() }]
  };
}

/** The user's options for a lost connection. */
export function lossActions(kernel: KernelEntry, trans: Translate): readonly MessageAction[] {
  const reconnect = { label: trans.__('Reconnect'), run: () => kernel.reconnect?.() };
  return kernel.loss === 'gave-up'
    ? [reconnect, { label: trans.__('Reload the page'), run: () => location.reload() }]
    : [reconnect];
}

const HEADS: Readonly<Record<Loss, (trans: Translate) => string>> = {
  silent: trans => trans.__('The Jupyter server does not answer.'),
  'held-up': trans => trans.__('The connection to the kernel is interrupted.'),
  retrying: trans => trans.__('The connection to the Jupyter server is lost.'),
  'gave-up': trans => trans.__('The connection to the Jupyter server is closed.')
};

const BODIES: Readonly<Record<Loss, (trans: Translate) => string>> = {
  silent: trans => trans.__('It may have stopped, or the network may be down. The panes continue when it answers.'),
  'held-up': trans =>
    trans.__(
      'The kernel answers over another connection. This one is dead, or a large output holds it up: it is replaced after a minute, or now with Reconnect.'
    ),
  retrying: trans => trans.__('JupyterLab tries to reconnect. The panes continue when it succeeds.'),
  'gave-up': trans => trans.__('JupyterLab has stopped trying to reconnect. If the server was restarted, its kernels may be new.')
};
