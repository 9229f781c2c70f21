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
  value(): PartialJSONValue;
  /** Called before with what other tabs have saved. */
  adopt(settings: ISettingRegistry.ISettings): void;
  readonly trans: SettingTexts | undefined;
}

const ENGLISH: SettingTexts = { __: text => text };

/** @throws Error with a message for users */
export async function saveSetting({ registry, plugin, name, value, adopt, trans = ENGLISH }: Saving): Promise<void> {
  if (registry === null) {
    throw new Error(trans.__('This front end has no settings.'));
  }
  try {
    // It would write what this tab knows over what another one has written.
    adopt(await registry.reload(plugin));
  } catch (error) {
    throw new Error(trans.__('The settings of Dask Panes cannot be read: %1.', reasonsOf(error)));
  }
  await registry.set(plugin, name, value());
}

/** Why settings cannot be read: JupyterLab lists what is not as the schema says. */
export function reasonsOf(error: unknown): string {
  const reasons = listOf(error).map(wrong => {
    const { instancePath, message } = mapOf(wrong);
    return `${textOf(instancePath)} ${textOf(message)}`;
  });
  return reasons.join('; ') || messageOf(error);
}
