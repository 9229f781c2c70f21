import { ILayoutRestorer, type JupyterFrontEnd, type JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette, IThemeManager, Notification, WidgetTracker } from '@jupyterlab/apputils';
import {
  ABCWidgetFactory,
  DocumentModel,
  type DocumentRegistry,
  DocumentWidget,
  TextModelFactory
} from '@jupyterlab/docregistry';
import type { Contents } from '@jupyterlab/services';
import { ITranslator } from '@jupyterlab/translation';
import { Signal } from '@lumino/signaling';
import { Lazy } from '../base/lazy';
import { recordingCode, type Recordings } from '../clients/recordings/recordings';
import { IRecordings } from '../clients/tokens';
import type { Translate } from '../plot/plot';
import { recordingIcon } from '../panes/icons';
import type { PaneManager } from '../panes/manager';
import { LazyWidget, loaded } from '../panes/lazy-widget';
import { IPaneManager } from '../panes/manager-token';
import { translation } from '../panes/plugin';
import type { RecordingServices, RecordingView } from './view';

const TYPE = 'dask-run';
const FACTORY = 'Dask recording';
/** The command that opens a recording. */
export const OPEN_RECORDING = 'dask-panes:open-recording';

/** JupyterLab's error for a save that the user cancelled: no message is shown. */
const GIVEN_UP = 'ModalCancelError';

/** The model of a document without content here: nothing can be saved over the file. */
class BytelessModel extends DocumentModel {
  constructor(
    private readonly trans: Translate,
    ...args: ConstructorParameters<typeof DocumentModel>
  ) {
    super(...args);
  }

  /** Called to save the document: rejects with a notification. */
  override toString(): string {
    const sentence = this.trans.__('A recording cannot be changed: it was not saved.');
    Notification.warning(sentence, { autoClose: 8000 });
    throw Object.assign(new Error(sentence), { name: GIVEN_UP });
  }
}

/** For documents whose bytes JupyterLab need not fetch: we read them ourselves, once for all panes. */
class BytelessModelFactory extends TextModelFactory {
  constructor(private readonly trans: Translate) {
    super();
  }

  override get name(): string {
    return TYPE;
  }

  override get contentType(): Contents.ContentType {
    return 'file';
  }

  override get fileFormat(): Contents.FileFormat {
    return null;
  }

  override createNew(options: Parameters<TextModelFactory['createNew']>[0] = {}): DocumentRegistry.ICodeModel {
    // Content marked as stored elsewhere is neither saved nor copied as a checkpoint.
    return new BytelessModel(this.trans, { ...options, collaborationEnabled: true });
  }
}

/** The document of a recording; its content is loaded with the first one. */
type RecordingDocument = DocumentWidget<LazyWidget<RecordingView>>;

class RecordingFactory extends ABCWidgetFactory<RecordingDocument> {
  constructor(
    options: DocumentRegistry.IWidgetFactoryOptions<RecordingDocument>,
    private readonly code: Lazy<typeof import('./code')>,
    private readonly services: RecordingServices
  ) {
    super(options);
  }

  protected override createNewWidget(context: DocumentRegistry.Context): RecordingDocument {
    const { services } = this;
    const content = new LazyWidget(async () => {
      const { RecordingView } = await loaded(this.code, services.trans);
      return new RecordingView(context.path, services);
    }, services.trans);
    // All connections end with `content`: another view of the document may keep the context.
    context.pathChanged.connect((_, path) => content.content?.setPath(path), content);
    let written = '';
    context.fileChanged.connect((_, { last_modified }) => {
      // The first time it is the file that is just being opened.
      if (written !== '' && written !== last_modified) {
        services.recordings.reload(context.path, last_modified);
      }
      written = last_modified;
    }, content);
    const { saveState } = context;
    saveState.connect((_, word) => {
      // Nothing else reports the end of a cancelled save.
      if (word === 'started' && saveState instanceof Signal) {
        queueMicrotask(() => saveState.emit('failed'));
      }
    }, content);
    const widget = new DocumentWidget({ content, context });
    widget.title.icon = recordingIcon;
    return widget;
  }
}

/** Opens recordings: the file type, the document with the clock, the command. */
export const recordingPlugin: JupyterFrontEndPlugin<void> = {
  id: 'dask-panes:recording-document',
  description: 'Opens recordings of Dask clusters from the file browser.',
  autoStart: true,
  requires: [IRecordings, IPaneManager],
  optional: [ILayoutRestorer, ICommandPalette, IThemeManager, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    recordings: Recordings,
    manager: PaneManager,
    restorer: ILayoutRestorer | null,
    palette: ICommandPalette | null,
    themes: IThemeManager | null,
    translator: ITranslator | null
  ): void => {
    const trans = translation(translator);
    const tracker = new WidgetTracker<RecordingDocument>({ namespace: 'dask-panes-recording' });
    app.docRegistry.addFileType({
      name: TYPE,
      displayName: trans.__('Dask recording'),
      extensions: ['.dask-run'],
      mimeTypes: ['application/vnd.dask-panes.run'],
      contentType: 'file',
      fileFormat: 'base64',
      icon: recordingIcon
    });
    app.docRegistry.addModelFactory(new BytelessModelFactory(trans));
    const code = new Lazy(async () => {
      const [loadedCode] = await Promise.all([import('./code'), recordingCode.get()]);
      loadedCode.pageStyle(themes).connect(() => {
        tracker.forEach(widget => {
          widget.content.content?.retheme();
        });
      });
      return loadedCode;
    });
    const factory = new RecordingFactory(
      {
        name: FACTORY,
        label: trans.__('Dask recording'),
        modelName: TYPE,
        fileTypes: [TYPE],
        defaultFor: [TYPE],
        readOnly: true
      },
      code,
      {
        recordings,
        catalogues: manager.parts,
        trans,
        open: (plot, args) => manager.reveal(plot, args),
        layout: (name, binding) => manager.revealLayout(name, binding)
      }
    );
    factory.widgetCreated.connect((_, widget) => {
      widget.context.pathChanged.connect(() => void tracker.save(widget));
      void tracker.add(widget);
    });
    app.docRegistry.addWidgetFactory(factory);
    app.commands.addCommand(OPEN_RECORDING, {
      label: trans.__('Open a Dask recording…'),
      caption: trans.__('Open a recording as a document with a clock; a double click in the file browser does the same'),
      icon: args => (args.isPalette ? undefined : recordingIcon),
      describedBy: {
        args: {
          type: 'object',
          properties: {
            path: { type: 'string', description: 'Path of the file, as the file browser has it; asked for without it.' }
          }
        }
      },
      execute: async args => {
        const path = typeof args.path === 'string' ? args.path : await (await import('./choose')).chooseRecording(app, trans);
        return path === null ? undefined : app.commands.execute('docmanager:open', { path, factory: FACTORY });
      }
    });
    palette?.addItem({ command: OPEN_RECORDING, category: trans.__('Dask'), args: { isPalette: true } });
    if (restorer) {
      void restorer.restore(tracker, {
        command: OPEN_RECORDING,
        args: widget => ({ path: widget.context.path }),
        name: widget => widget.context.path
      });
    }
  }
};
