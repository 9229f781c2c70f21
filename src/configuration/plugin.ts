import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ITranslator } from '@jupyterlab/translation';
import { IFormRendererRegistry } from '@jupyterlab/ui-components';
import { createElement, type ReactElement, useEffect, useRef } from 'react';
import { SETTINGS_PLUGIN } from '../base/jupyter/settings';
import type { Clients } from '../clients/model';
import { IClients } from '../clients/tokens';
import { translation } from '../panes/plugin';
import { ConfigurationView } from './view';

/** Shows Dask's own configuration in JupyterLab's settings; it cannot be changed there. */
export const configurationPlugin: JupyterFrontEndPlugin<void> = {
  id: 'dask-panes:configuration',
  description: "Shows Dask's own configuration of Dask Panes in the settings.",
  autoStart: true,
  requires: [IClients],
  optional: [IFormRendererRegistry, ITranslator],
  activate: (
    _: JupyterFrontEnd,
    clients: Clients,
    registry: IFormRendererRegistry | null,
    translator: ITranslator | null
  ): void => {
    const trans = translation(translator);
    registry?.addRenderer(`${SETTINGS_PLUGIN}.daskConfiguration`, {
      fieldRenderer: ({ schema }) =>
        createElement(Field, { title: schema.title ?? '', description: schema.description ?? '', clients, trans })
    });
  }
};

interface FieldProps {
  readonly title: string;
  readonly description: string;
  readonly clients: Clients;
  readonly trans: ReturnType<typeof translation>;
}

/** JupyterLab's form is React; our content is a plain element in it, while it is mounted. */
function Field({ title, description, clients, trans }: FieldProps): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = new ConfigurationView(clients, trans);
    place.current?.replaceChildren(view.node);
    return () => view.dispose();
  }, [clients, trans]);
  return createElement(
    'fieldset',
    {},
    createElement('legend', {}, title),
    createElement('p', { className: 'field-description' }, description),
    createElement('div', { ref: place })
  );
}
