/** Asks for a recording: by JupyterLab's file dialog where there is one, else by its path. */
import type { JupyterFrontEnd } from '@jupyterlab/application';
import { InputDialog } from '@jupyterlab/apputils';
import type { Translate } from '../plot/plot';

const ENDING = '.dask-run';

/** The path of a recording that the user chooses; `null` if cancelled. */
export async function chooseRecording(app: JupyterFrontEnd, trans: Translate): Promise<string | null> {
  const title = trans.__('Open a Dask recording');
  const dialog = await fileDialog(app);
  if (dialog === null) {
    return askPath(title, trans);
  }
  const { FileDialog, manager, folder } = dialog;
  // A variable, since the declarations of JupyterLab 4.0 lack `defaultPath`; its dialog opens where it likes.
  const options = {
    manager,
    title,
    defaultPath: folder,
    filter: ({ type, name }: { type: string; name: string }) => (type === 'directory' || name.endsWith(ENDING) ? {} : null)
  };
  const { button, value } = await FileDialog.getOpenFiles(options);
  // Without a choice the dialog gives the folder that it shows.
  const chosen = value?.find(({ type }) => type !== 'directory');
  return button.accept && chosen ? chosen.path : null;
}

/** JupyterLab's dialog and what it needs; `null` in a front end that lacks a package of it. */
async function fileDialog(app: JupyterFrontEnd) {
  try {
    const [{ FileDialog, IDefaultFileBrowser }, { IDocumentManager }] = await Promise.all([
      import('@jupyterlab/filebrowser'),
      import('@jupyterlab/docmanager')
    ]);
    const manager = await app.resolveOptionalService(IDocumentManager);
    const browser = await app.resolveOptionalService(IDefaultFileBrowser);
    return manager && { FileDialog, manager, folder: browser?.model.path ?? '' };
  } catch {
    // Asking for the path works everywhere.
    return null;
  }
}

async function askPath(title: string, trans: Translate): Promise<string | null> {
  const { value } = await InputDialog.getText({
    title,
    label: trans.__('Path of the file, as the file browser has it'),
    placeholder: `run${ENDING}`,
    okLabel: trans.__('Open')
  });
  return value || null;
}
