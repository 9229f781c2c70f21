/** Dialogs that inform or confirm: texts from a kernel are shown as text. */
import { formatCount } from '../../base/format';
import { Clipboard, Dialog, showDialog } from '@jupyterlab/apputils';
import type { Message } from '@lumino/messaging';
import { Widget } from '@lumino/widgets';
import { element } from '../../base/element';
import type { HostedCluster } from '../../clients/hosting/model';
import type { Translate } from '../../plot/plot';

/**
 * Show why a cluster could not be started.
 *
 * @param retry - whether to offer the form again
 * @returns whether the user wants the form again
 */
export async function explainFailure(
  name: string,
  { message, traceback }: { readonly message: string; readonly traceback: string },
  retry: boolean,
  trans: Translate
): Promise<boolean> {
  const dialog = new Dialog({
    title: trans.__('%1 could not be started', name),
    body: new Failure(message, traceback, trans),
    buttons: [
      Dialog.cancelButton({ label: trans.__('Close') }),
      ...(retry ? [Dialog.okButton({ label: trans.__('Change and try again') })] : [])
    ]
  });
  dialog.addClass('dp-Dialog');
  const { button } = await dialog.launch();
  return button.accept;
}

/** The error on one line, and everything that the kernel reported about it. */
class Failure extends Widget {
  constructor(message: string, traceback: string, trans: Translate) {
    super();
    this.addClass('dp-Failure');
    this.details = element('pre', {
      class: 'dp-Failure-details',
      text: traceback,
      attributes: { tabindex: '0', 'aria-label': trans.__('Traceback') }
    });
    this.node.append(
      // The last line of a traceback is the error, the others are its location.
      element('p', { class: 'dp-Failure-head', text: traceback.trimEnd().split('\n').at(-1) || message }),
      this.details,
      element('button', {
        class: 'dp-Button',
        text: trans.__('Copy details'),
        onClick: () => Clipboard.copyToSystem(traceback)
      })
    );
  }

  protected override onAfterAttach(msg: Message): void {
    super.onAfterAttach(msg);
    this.details.scrollTop = this.details.scrollHeight;
  }

  private readonly details: HTMLElement;
}

/** Confirm that a cluster is to be ended, with what will be lost. */
export async function confirmShutDown({ name, facts }: HostedCluster, trans: Translate): Promise<boolean> {
  const clients = facts?.clients ?? 0;
  const tasks = facts?.tasks ?? 0;
  const body = [
    trans.__('This ends its workers and its kernel.'),
    ...(clients > 0
      ? [
          trans._n(
            '1 client is connected and will lose it.',
            '%2 clients are connected and will lose it.',
            clients,
            formatCount(clients)
          )
        ]
      : []),
    ...(tasks > 0
      ? [trans._n('1 task and its result are lost.', '%2 tasks and their results are lost.', tasks, formatCount(tasks))]
      : [])
  ].join(' ');
  const { button } = await showDialog({
    title: trans.__('Shut down "%1"?', name),
    body,
    buttons: [Dialog.cancelButton({ label: trans.__('Cancel') }), Dialog.warnButton({ label: trans.__('Shut down') })],
    defaultButton: 0
  });
  return button.accept;
}
