/** What a pane shows, on the clipboard; where the browser refuses, a notification offers a file instead. */
import { Notification } from '@jupyterlab/apputils';
import { copyText } from '../../base/dom/copy-text';
import { messageOf } from '../../base/untrusted';
import type { Translate } from '../../plot/plot';
import type { MenuItem } from '../../plot-frame/menu-item';
import { pictureOf } from './picture';

/**
 * Copy a pane as an image.
 *
 * @param file - saves the image instead
 */
export async function copyPicture(pane: HTMLElement, file: MenuItem, trans: Translate): Promise<void> {
  // Its type does not say so: undefined on plain http.
  const { clipboard } = navigator as Partial<Navigator>;
  if (clipboard === undefined || !('ClipboardItem' in window)) {
    offer(trans.__('Browsers copy pictures on pages of https and of localhost only. Save the picture instead.'), file);
    return;
  }
  try {
    // The image is promised, not awaited: a browser allows copying only at once after a click.
    await clipboard.write([new ClipboardItem({ 'image/png': pictureOf(pane) })]);
  } catch (error) {
    offer(trans.__('The picture could not be copied (%1). Save it instead.', messageOf(error)), file);
  }
}

/**
 * Copy a table as text that spreadsheets take as cells.
 *
 * @param file - saves the table instead
 */
export async function copyTable(text: string, file: MenuItem, trans: Translate): Promise<void> {
  try {
    await copyText(text);
  } catch (error) {
    offer(trans.__('The table could not be copied (%1). Save it instead.', messageOf(error)), file);
  }
}

function offer(message: string, { label, run }: MenuItem): void {
  Notification.warning(message, { autoClose: false, actions: [{ label, callback: run }] });
}
