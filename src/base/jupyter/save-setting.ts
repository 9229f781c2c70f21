/** What is done with settings seldom: not loaded at the start of a page. */
import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import type { PartialJSONValue } from '@lumino/coreutils';
import { listOf, mapOf, messageOf, textOf } from '../untrusted';

/** The language of the page. */
export interface SettingTexts {
  __(text: string, ...parts: readonly string[]): string;
}

/** What to save, and where. */
interface Saving {
  readonly registry: ISettingRegistry | null;
  readonly plugin: string;
  readonly name: string;
  /** Called with what other tabs have saved. */
  value(settings: ISettingRegistry.ISettings): PartialJSONValue;
}

/** @throws Error with a message for users */
export async function saveSetting({ registry, plugin, name, value }: Saving, trans: SettingTexts): Promise<void> {
  if (registry === null) {
    throw new Error(trans.__('This front end has no settings.'));
  }
  let known: ISettingRegistry.ISettings;
  try {
    // It would write what this tab knows over what another one has written.
    known = await registry.reload(plugin);
  } catch (error) {
    throw new Error(trans.__('The settings of Dask Panes cannot be read: %1.', reasonsOf(error)));
  }
  await registry.set(plugin, name, value(known));
}

/** Why settings cannot be read: JupyterLab lists what is not as the schema says. */
export function reasonsOf(error: unknown): string {
  const reasons = listOf(error).map(wrong => {
    const { instancePath, message } = mapOf(wrong);
    return `${textOf(instancePath)} ${textOf(message)}`;
  });
  return reasons.join('; ') || messageOf(error);
}
