import { Notification } from '@jupyterlab/apputils';
import type { Contents } from '@jupyterlab/services';
import { formatPercent, messageOf } from '../../base/format';
import type { Clients } from '../../clients/model';
import type { Translate } from '../../plot/plot';
import { download } from '../exports/download';
import { type SavedReport, saveReport, type SaveRequest } from './save-report';

/** Save a report, and notify the user: progress, its location, or why it failed. */
export async function saveAndTell(
  request: SaveRequest,
  contents: Contents.IManager,
  clients: Clients,
  trans: Translate
): Promise<SavedReport | null> {
  const save = (name: string, text: string): void => download(name, new Blob([text], { type: 'text/html' }));
  const id = Notification.info(trans.__('Saving the report …'), { autoClose: false });
  try {
    const saved = await saveReport(request, { clients, contents, trans, download: save }, ({ doing, share }) => {
      const percent = formatPercent(share);
      const message =
        doing === 'history'
          ? trans.__("Saving the report: %1 of the scheduler's history …", percent)
          : trans.__('Saving the report: last look at the workers, %1 …', percent);
      Notification.update({ id, message });
    });
    const tell = (message: string, actions: Notification.IAction[]): void =>
      void Notification.update({ id, message, type: 'success', autoClose: 15_000, actions });
    if (saved.path === '') {
      tell(trans.__('The folder is not writable: the report %1 was downloaded instead.', saved.name), []);
    } else {
      const fetchIt = async (): Promise<void> => {
        const link = document.createElement('a');
        link.href = await contents.getDownloadUrl(saved.path);
        link.download = saved.name;
        link.click();
      };
      tell(trans.__('Report saved as %1. It opens in any browser, also without a network.', saved.path), [
        { label: trans.__('Download'), callback: () => void fetchIt().catch((error: unknown) => tell(messageOf(error), [])) }
      ]);
    }
    return saved;
  } catch (error) {
    const message = trans.__('No report was saved: %1', messageOf(error));
    Notification.update({ id, message, type: 'error', autoClose: false });
    return null;
  }
}
