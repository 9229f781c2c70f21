import { Notification } from '@jupyterlab/apputils';
import type { Contents } from '@jupyterlab/services';
import { formatPercent } from '../../base/format';
import { messageOf } from '../../base/untrusted';
import type { Clients } from '../../clients/model';
import type { Translate } from '../../plot/plot';
import { showResult } from '../actions/result';
import { download } from '../exports/download';
import { type SavedReport, saveReport, type SaveProgress, type SaveRequest } from './save-report';

/** Save a report, and notify the user: progress, with a button that cancels it; its location; or why it failed. */
export async function saveAndNotify(
  request: SaveRequest,
  contents: Contents.IManager,
  clients: Clients,
  trans: Translate
): Promise<SavedReport | null> {
  const save = (name: string, text: string): void => download(name, new Blob([text], { type: 'text/html' }));
  const cancelling = new AbortController();
  const cancel = { label: trans.__('Cancel'), callback: () => cancelling.abort() };
  const id = Notification.info(trans.__('Saving the report …'), { autoClose: false, actions: [cancel] });
  const refuse = (error: unknown): void => showResult(id, messageOf(error), 'error', { autoClose: false });
  try {
    const progress = ({ doing, share }: SaveProgress): void => {
      const percent = formatPercent(share);
      const message =
        doing === 'history'
          ? trans.__("Saving the report: %1 of the scheduler's history …", percent)
          : trans.__('Saving the report: last look at the workers, %1 …', percent);
      Notification.update({ id, message });
    };
    const services = { clients, contents, trans, download: save };
    const saved = await saveReport(request, services, progress, cancelling.signal);
    const notify = (message: string, actions: Notification.IAction[]): void =>
      showResult(id, message, 'success', { autoClose: 15_000, actions });
    if (saved.path === '') {
      const { name, reason } = saved;
      notify(trans.__('The report %1 was downloaded, because it could not be saved beside the notebook: %2', name, reason), []);
    } else {
      const follow = async (how: Partial<HTMLAnchorElement>): Promise<void> => {
        const link = Object.assign(document.createElement('a'), how);
        link.href = await contents.getDownloadUrl(saved.path);
        link.click();
      };
      notify(trans.__('Report saved as %1. It opens in any browser, also without a network.', saved.path), [
        // In a tab of the browser: JupyterLab's own viewer of HTML runs no script of a file that is not trusted.
        { label: trans.__('Open'), callback: () => void follow({ target: '_blank', rel: 'noopener' }).catch(refuse) },
        { label: trans.__('Download'), callback: () => void follow({ download: saved.name }).catch(refuse) }
      ]);
    }
    return saved;
  } catch (error) {
    if (cancelling.signal.aborted) {
      Notification.dismiss(id);
      return null;
    }
    refuse(new Error(trans.__('No report was saved: %1', messageOf(error))));
    return null;
  }
}
