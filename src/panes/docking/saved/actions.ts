/**
 * Saves and removes layouts, with their dialogs; loaded when first used. What replaces or removes one asks, also where the
 * arguments name it: links in outputs and in Markdown can call the commands.
 */
import type { JupyterFrontEnd } from '@jupyterlab/application';
import { Dialog, InputDialog, showDialog } from '@jupyterlab/apputils';
import { messageOf } from '../../../base/untrusted';
import type { Translate } from '../../../plot/plot';
import type { PaneManager } from '../../manager';
import { layoutNamed, type PaneLayout } from '../layouts';

/**
 * Save the present arrangement of panes.
 *
 * @param name - asked for if it is not a text
 */
export async function saveLayout(
  manager: PaneManager,
  name: unknown,
  trans: Translate,
  warn: (message: string) => void
): Promise<void> {
  const title = typeof name === 'string' ? name : await askTitle(trans);
  const same = title === null ? undefined : layoutNamed(manager.parts.layouts, title);
  if (title === null || (same !== undefined && !(await mayReplace(same, trans)))) {
    return;
  }
  const placer = await manager.placer();
  // Its own title: the given one may be its id, or have other capital letters.
  const own = same?.title ?? title;
  try {
    await placer.save(own);
    await manager.savedLayouts.ready;
    manager.notePlaced(layoutNamed(manager.parts.layouts, own)?.id);
  } catch (error) {
    warn(messageOf(error));
  }
}

/**
 * Remove a saved layout; asks for it where the arguments do not say which.
 *
 * @param args - `name`: which one; `here`: the one whose context menu was opened. JupyterLab remembers where
 *   that was for good, so that only its items may ask for it
 */
export async function removeLayout(
  manager: PaneManager,
  app: Pick<JupyterFrontEnd, 'contextMenuHitTest'>,
  { name, here }: { readonly name?: unknown; readonly here?: unknown },
  trans: Translate,
  warn: (message: string) => void
): Promise<void> {
  const { layouts } = manager.parts;
  const isLayout = ({ dataset }: HTMLElement): boolean => dataset.layout !== undefined;
  const under = here === true ? app.contextMenuHitTest(isLayout)?.dataset.layout : undefined;
  const named = typeof name === 'string' ? name : under;
  const layout = named === undefined ? await askSaved(layouts.all, trans) : layoutNamed(layouts, named);
  if (layout?.saved && (named === undefined || (await mayRemove(layout, trans)))) {
    await manager.savedLayouts.remove(layout).catch((error: unknown) => warn(messageOf(error)));
  }
}

async function askTitle(trans: Translate): Promise<string | null> {
  const { value } = await InputDialog.getText({
    title: trans.__('Save layout'),
    label: trans.__('Name, as it is shown in the sidebar'),
    okLabel: trans.__('Save')
  });
  return value?.trim() || null;
}

async function askSaved(all: readonly PaneLayout[], trans: Translate): Promise<PaneLayout | undefined> {
  const layouts = all.filter(({ saved }) => saved);
  const { value } = await InputDialog.getItem({
    title: trans.__('Remove saved layout'),
    items: layouts.map(({ title }) => title),
    okLabel: trans.__('Remove')
  });
  return layouts.find(({ title }) => title === value);
}

/** A layout of ours has a name that stays; one that was saved is replaced if the user says so. */
async function mayReplace({ title, saved }: PaneLayout, trans: Translate): Promise<boolean> {
  const body = saved
    ? trans.__('There is a layout named "%1". Replace it?', title)
    : trans.__('"%1" is the name of a layout that comes with an extension. Choose another name.', title);
  const replace = Dialog.warnButton({ label: trans.__('Replace') });
  const { button } = await showDialog({
    title: trans.__('Save layout'),
    body,
    buttons: [Dialog.cancelButton({ label: trans.__('Cancel') }), ...(saved ? [replace] : [])]
  });
  return button.accept;
}

async function mayRemove({ title }: PaneLayout, trans: Translate): Promise<boolean> {
  const { button } = await showDialog({
    title: trans.__('Remove saved layout'),
    body: trans.__('Remove the layout "%1"? Open panes stay.', title),
    buttons: [Dialog.cancelButton({ label: trans.__('Cancel') }), Dialog.warnButton({ label: trans.__('Remove') })]
  });
  return button.accept;
}
