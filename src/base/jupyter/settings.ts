import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import { type ISignal, Signal } from '@lumino/signaling';

/** The plugin whose schema (schema/plugin.json) describes the settings. */
export const SETTINGS_PLUGIN = 'dask-panes:plugin';

/** The settings; schema/plugin.json explains each. */
export interface SettingValues {
  readonly activate: boolean;
  readonly followActive: boolean;
  readonly defaultLayout: string;
  /** Whether cards offer actions that change a cluster. */
  readonly actions: boolean;
  /** Number of executions that the browser keeps per client. */
  readonly keepTasks: number;
}

/** Defaults if JupyterLab has no settings, equal to those in schema/plugin.json. */
export const DEFAULT_SETTINGS: SettingValues = {
  activate: true,
  followActive: true,
  defaultLayout: 'status',
  actions: true,
  keepTasks: 1_000_000
};

/** The user's current settings. */
export class Settings {
  /**
   * @param registry - `null` in front ends without settings: the defaults apply
   * @param started - when to read them: JupyterLab's own shortcuts fail on settings that are loaded before theirs
   */
  constructor(registry: ISettingRegistry | null, started: Promise<unknown>) {
    this.ready = registry === null ? Promise.resolve() : started.then(() => this.load(registry));
  }

  /** Resolved when the user's values are known, or cannot be loaded. */
  readonly ready: Promise<void>;

  get values(): SettingValues {
    return this.current;
  }

  get changed(): ISignal<this, void> {
    return this.changedSignal;
  }

  private async load(registry: ISettingRegistry): Promise<void> {
    try {
      const settings = await registry.load(SETTINGS_PLUGIN);
      settings.changed.connect(() => this.read(settings), this);
      this.read(settings);
    } catch (error) {
      console.error(`The settings of Dask Panes could not be read; the defaults apply. ${String(error)}`);
    }
  }

  private read({ composite }: ISettingRegistry.ISettings): void {
    const { activate, followActive, defaultLayout, actions, keepTasks } = composite;
    this.current = {
      activate: typeof activate === 'boolean' ? activate : DEFAULT_SETTINGS.activate,
      followActive: typeof followActive === 'boolean' ? followActive : DEFAULT_SETTINGS.followActive,
      defaultLayout: typeof defaultLayout === 'string' ? defaultLayout : DEFAULT_SETTINGS.defaultLayout,
      actions: typeof actions === 'boolean' ? actions : DEFAULT_SETTINGS.actions,
      keepTasks: typeof keepTasks === 'number' && keepTasks > 0 ? keepTasks : DEFAULT_SETTINGS.keepTasks
    };
    this.changedSignal.emit();
  }

  private current = DEFAULT_SETTINGS;
  private readonly changedSignal = new Signal<this, void>(this);
}
