/** Files of what a pane shows. */
import { Notification } from '@jupyterlab/apputils';
import { formatExactCount } from '../../base/format';
import { messageOf } from '../../base/untrusted';
import { catalogueText } from '../../plot/translation';
import type { Plot, PlotContext, TableData, Translate } from '../../plot/plot';
import { commaSeparated, tabSeparated } from '../../plot/csv';
import type { MenuItem } from '../../plot-frame/menu-item';
import type { Run } from '../../run/run';
import { foldedProfile } from '../../selectors/profile/profile-texts';
import { speedscope } from '../../selectors/profile/speedscope';
import { Unfinished } from '../../views/canvas/drawn/drawn';
import { copyPicture, copyTable } from './copy';
import { download } from './download';
import { pictureOf } from './picture';

/** How long it is said that rows are missing, in milliseconds. */
const CUT_SHOWN = 8000;

/** What files are made from: a pane, the run and the context of its picture, as they are when the menu opens. */
export interface Shown {
  readonly run: Run | null;
  context(): PlotContext;
}

/**
 * Menu items that save what a pane shows.
 *
 * @param pane - what an image shows
 */
export function fileItems(plot: Plot, shown: Shown, pane: HTMLElement): MenuItem[] {
  const { run } = shown;
  return run === null ? [] : [...imageItems(plot, run, shown, pane), ...dataItems(plot, run, shown)];
}

/** An item whose failure is a notification: the picture in the pane is as good as before. */
function item(label: string, act: () => Promise<void>, trans: Translate, enabled = true): MenuItem {
  const refuse = (error: unknown): void =>
    void Notification.error(trans.__('"%1" failed: %2', label, messageOf(error)), { autoClose: false });
  return { label, enabled, run: () => void act().catch(refuse) };
}

function imageItems(plot: Plot, run: Run, shown: Shown, pane: HTMLElement): MenuItem[] {
  const { trans } = shown.context();
  const png = item(trans.__('Save picture as PNG'), async () => download(`${plot.id}.png`, await pictureOf(pane)), trans);
  const drawn = async (): Promise<void> => {
    const { svgOf } = await import('./code');
    const described = { title: catalogueText(trans, plot.title), description: plot.summary(run, shown.context()) };
    const svg = await svgOf(pane, described).catch((error: unknown) => {
      throw error instanceof Unfinished ? new Error(trans.__('The picture is still being painted. Try again.')) : error;
    });
    if (svg === null) {
      throw new Error(trans.__('The picture has too many marks for SVG. Show a shorter time or fewer rows, or save it as PNG.'));
    }
    download(`${plot.id}.svg`, new Blob([svg], { type: 'image/svg+xml' }));
  };
  return [
    png,
    item(trans.__('Save picture as SVG'), drawn, trans),
    { label: trans.__('Copy picture'), run: () => void copyPicture(pane, png, trans) }
  ];
}

/** A file or a copy that has not all rows must not look as if it had. */
function sayCut({ rows, total = rows.length }: TableData, trans: Translate): void {
  if (total > rows.length) {
    const message = trans.__('These are the newest %1 of %2 rows.', formatExactCount(rows.length), formatExactCount(total));
    Notification.warning(message, { autoClose: CUT_SHOWN });
  }
}

function dataItems(plot: Plot, run: Run, shown: Shown): MenuItem[] {
  const context = shown.context();
  const { trans } = context;
  const save = (ending: string, type: string, text: () => string) => async (): Promise<void> =>
    download(`${plot.id}.${ending}`, new Blob([text()], { type }));
  const rows = (): TableData => {
    const table = plot.table(run, context);
    sayCut(table, trans);
    return table;
  };
  const csv = save('csv', 'text/csv', () => commaSeparated(rows()));
  const table = item(trans.__('Save table as CSV'), csv, trans);
  const copy = item(trans.__('Copy table'), async () => copyTable(tabSeparated(rows()), table, trans), trans);
  if (plot.view !== 'flame') {
    return [table, copy];
  }
  const store = run[plot.topic];
  const samples = save('speedscope.json', 'application/json', () =>
    speedscope(store, foldedProfile(store, run, context), plot.title)
  );
  const profile = item(trans.__('Save samples for speedscope'), samples, trans, store.length > 0);
  return [table, copy, profile];
}
