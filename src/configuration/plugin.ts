import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { IThemeManager } from '@jupyterlab/apputils';
import { ITranslator } from '@jupyterlab/translation';
import { IFormRendererRegistry } from '@jupyterlab/ui-components';
import { createElement, type ReactElement, useEffect, useRef } from 'react';
import { messageOf } from '../base/untrusted';
import { SETTINGS_PLUGIN } from '../base/jupyter/settings';
import { Lazy } from '../base/lazy';
import type { Clients } from '../clients/model';
import { IClients } from '../clients/tokens';
import { loaded } from '../panes/lazy-widget';
import { translation } from '../panes/plugin';
import type { ConfigurationView } from './view';

/** Shows Dask's own configuration in JupyterLab's settings; it cannot be changed there. */
export const configurationPlugin: JupyterFrontEndPlugin<void> = {
  id: 'dask-panes:configuration',
  description: "Shows Dask's own configuration of Dask Panes in the settings.",
  autoStart: true,
  requires: [IClients],
  optional: [IFormRendererRegistry, IThemeManager, ITranslator],
  activate: (
    _: JupyterFrontEnd,
    clients: Clients,
    registry: IFormRendererRegistry | null,
    themes: IThemeManager | null,
    translator: ITranslator | null
  ): void => {
    const trans = translation(translator);
    const code = new Lazy(async () => {
      const part = await import('./code');
      // The colours of problems.
      part.pageStyle(themes);
      return part;
    });
    const makeView = async (): Promise<ConfigurationView> => {
      const { ConfigurationView } = await loaded(code, trans);
      return new ConfigurationView(clients, trans);
    };
    registry?.addRenderer(`${SETTINGS_PLUGIN}.daskConfiguration`, {
      fieldRenderer: ({ schema }) =>
        createElement(Field, { title: schema.title ?? '', description: schema.description ?? '', makeView })
    });
  }
};

interface FieldProps {
  readonly title: string;
  readonly description: string;
  /** Rejects with a message for users. */
  readonly makeView: () => Promise<ConfigurationView>;
}

/** JupyterLab's form is React; our content is a plain element in it, while it is mounted. */
function Field({ title, description, makeView }: FieldProps): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let end = (): void => undefined;
    let ended = false;
    makeView().then(
      view => {
        if (ended) {
          view.dispose();
        } else {
          place.current?.replaceChildren(view.node);
          end = () => view.dispose();
        }
      },
      // The next time the settings are shown it is tried again.
      (error: unknown) => place.current?.replaceChildren(messageOf(error))
    );
    return () => {
      ended = true;
      end();
    };
  }, [makeView]);
  return createElement(
    'fieldset',
    {},
    createElement('legend', {}, title),
    createElement('p', { className: 'field-description' }, description),
    createElement('div', { ref: place })
  );
}
