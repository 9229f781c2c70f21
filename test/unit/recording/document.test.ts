// @vitest-environment jsdom
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { DocumentRegistry, DocumentWidget } from '@jupyterlab/docregistry';
import { Signal } from '@lumino/signaling';
import { expect, it } from 'vitest';
import { Recordings } from '../../../src/clients/recordings/recordings';
import { Catalogue } from '../../../src/panes/catalogue';
import { LAYOUTS } from '../../../src/panes/docking/layouts';
import type { LazyWidget } from '../../../src/panes/lazy-widget';
import { PLOT_FACTS } from '../../../src/plots/facts';
import { recordingPlugin } from '../../../src/recording/plugin';
import type { RecordingView } from '../../../src/recording/view';

type RecordingDocument = DocumentWidget<LazyWidget<RecordingView>>;

it('a closed document reads nothing any more, also while another view of it is open', async () => {
  const factories: DocumentRegistry.IWidgetFactory<RecordingDocument, DocumentRegistry.IModel>[] = [];
  const docRegistry = {
    addFileType: () => undefined,
    addModelFactory: () => undefined,
    addWidgetFactory: (factory: (typeof factories)[number]) => factories.push(factory)
  };
  const app = { docRegistry, commands: { addCommand: () => undefined } } as unknown as JupyterFrontEnd;
  const recordings = new Recordings(() => new Promise(() => undefined));
  const parts = { layouts: new Catalogue(LAYOUTS), plots: new Catalogue(PLOT_FACTS) };
  recordingPlugin.activate(app, recordings, { parts }, null, null, null, null);
  // The context lives as long as any view of the document.
  const context = {
    ...{ path: 'a.dask-run', localPath: 'a.dask-run', ready: Promise.resolve(), contentsModel: null },
    pathChanged: new Signal<object, string>({ localPath: 'a.dask-run' }),
    fileChanged: new Signal<object, { last_modified: string }>({}),
    saveState: new Signal<object, string>({}),
    model: { stateChanged: new Signal({}), dirty: false }
  };
  const document = factories[0].createNew(context as unknown as DocumentRegistry.Context);
  await document.content.fill();
  expect(recordings.entries.map(({ path }) => path)).toEqual(['a.dask-run']);
  context.pathChanged.emit('b.dask-run');
  expect(recordings.entries.map(({ path }) => path)).toEqual(['b.dask-run']);
  document.dispose();
  context.pathChanged.emit('c.dask-run');
  expect(recordings.entries).toEqual([]);
  recordings.dispose();
});
