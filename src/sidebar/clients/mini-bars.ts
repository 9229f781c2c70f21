import { element, setAttribute, setHidden, setText } from '../../base/element';
import { formatBytes, formatBytesOf, formatCount } from '../../base/format';
import type { Theme } from '../../base/theme';
import type { Share } from '../../base/units';
import type { Translate } from '../../plot/plot';
import { tasksOfClient } from '../../selectors/client-tasks';
import { knowsAllTasks, taskCountText } from '../../selectors/tasks/prefix-counts';
import { busyThreadsOf } from '../../selectors/workers/cancelled';
import { limitOf } from '../../selectors/workers/memory-limit';
import { liveWorkers, total, worstLevel } from '../../selectors/workers/worker-rows';
import type { Run } from '../../run/run';

/** A segment of a bar: its fraction of the whole and its colour. */
interface Segment {
  readonly share: Share;
  readonly colour: string;
}

/** One bar with its name and figure. */
interface Bar {
  readonly figure: string;
  readonly segments: readonly Segment[];
  /** Whose the figure is, where that is a question. */
  readonly title?: string;
  /** Tasks that have erred; default: none. */
  readonly erred?: number;
  /** What else the figure is of. It may be cut: the figure may not. */
  readonly of?: string;
}

const UNKNOWN: Bar = { figure: '–', segments: [] };
const NOTHING: readonly Bar[] = [UNKNOWN, UNKNOWN, UNKNOWN];

/** The three live bars of the followed client: tasks done, memory by kind, busy threads. */
export class MiniBars {
  readonly node: HTMLElement;

  /** @param showErrors - the number of erred tasks was clicked */
  constructor(
    private readonly trans: Translate,
    showErrors: () => void
  ) {
    this.erred = element('button', { class: 'dp-Link', attributes: { hidden: '' }, onClick: showErrors });
    const names = [trans.__('Tasks'), trans.__('Memory'), trans.__('Threads')];
    this.rows = names.map(name => ({
      bar: element('span', { class: 'dp-MiniBar', attributes: { 'aria-hidden': 'true' } }),
      figure: element('span', { class: 'dp-MiniBar-figure' }),
      name
    }));
    this.node = element(
      'div',
      { class: 'dp-MiniBars' },
      ...this.rows.flatMap(({ bar, figure, name }, i) => [
        element('span', { class: 'dp-MiniBar-name', text: name }),
        bar,
        i === 0 ? element('span', { class: 'dp-MiniBar-figure' }, figure, this.erred, this.of) : figure
      ])
    );
  }

  /**
   * Show a run, or that there is none; unknown values are a dash, never a zero.
   *
   * @param client - key of the client of the row: others may use its scheduler, too
   * @param outdated - whether the figures are those of the last answer: they are dimmed
   */
  update(run: Run | null, client: string, theme: Theme, outdated: boolean): void {
    this.node.classList.toggle('dp-mod-outdated', outdated);
    const bars =
      run === null ? NOTHING : [tasks(run, client, theme, this.trans), memory(run, theme), threads(run, theme, this.trans)];
    for (const [i, { figure, segments, title = '', erred = 0, of = '' }] of bars.entries()) {
      const row = this.rows[i];
      setAttribute(row.figure, 'title', title);
      setText(row.figure, erred > 0 ? `${figure} · ` : figure);
      if (i === 0) {
        setHidden(this.erred, erred === 0);
        setText(this.erred, erred > 0 ? this.trans.__('%1 erred', formatCount(erred)) : '');
        setText(this.of, of === '' ? '' : ` · ${of}`);
        setAttribute(this.of, 'title', title);
      }
      const print = segments.map(({ share, colour }) => `${share.toFixed(4)} ${colour}`).join();
      if (row.bar.dataset.print !== print) {
        row.bar.dataset.print = print;
        row.bar.replaceChildren(...segments.map(segmentOf));
      }
    }
  }

  private readonly erred: HTMLElement;
  private readonly of = element('span', { class: 'dp-MiniBar-of' });
  private readonly rows: readonly { readonly bar: HTMLElement; readonly figure: HTMLElement; readonly name: string }[];
}

function segmentOf({ share, colour }: Segment): HTMLElement {
  const node = element('span');
  node.style.width = `${(100 * Math.min(1, Math.max(0, share))).toFixed(2)}%`;
  node.style.background = colour;
  return node;
}

/** Tasks of the newest work; where several clients have submitted some, of the client of the row. */
function tasks(run: Run, client: string, theme: Theme, trans: Translate): Bar {
  if (!run.has('prefixes')) {
    return UNKNOWN;
  }
  const { totals, computations, unrun, whose, others, submitted } = tasksOfClient(run, client);
  const shared = others.length === 0 ? '' : trans.__('Tasks of %1 are known, too.', others.join(', '));
  if (totals === null) {
    const none = submitted ? trans.__('Tasks of this client are not known.') : trans.__('This client has submitted nothing.');
    return { ...UNKNOWN, title: `${none} ${shared}` };
  }
  const { done, all, erred } = totals;
  const known = knowsAllTasks(run);
  if (all === 0 && !known) {
    return UNKNOWN;
  }
  const segments = [
    { share: done / all, colour: theme.memory('blue')[0] },
    { share: erred / all, colour: theme.erred.colour }
  ];
  const figure = `${formatCount(done)} / ${taskCountText(run, all)}`;
  const several = computations > 1 ? trans.__('%1 computations', formatCount(computations)) : '';
  const of = whose === 'own' ? trans.__('Tasks of the newest work of this client.') : trans.__('Tasks of all clients.');
  return {
    figure: whose === 'all' ? trans.__('%1, all clients', figure) : figure,
    title: [
      ...(whose === 'only' ? [] : [`${of} ${shared}`.trim()]),
      // Where there is no room for it in the line.
      ...(several === '' ? [] : [several]),
      ...(unrun > 0 ? [trans._n('1 more task was never run.', '%2 more tasks were never run.', unrun, formatCount(unrun))] : [])
    ].join(' '),
    erred,
    // As Progress says it: figures jump when another one begins, as where lost results are computed again.
    of: several,
    // Of how many is not known: no share.
    segments: all > 0 && known ? segments.filter(segment => segment.share > 0) : []
  };
}

function memory(run: Run, theme: Theme): Bar {
  if (!run.has('workers')) {
    return UNKNOWN;
  }
  const rows = liveWorkers(run);
  const parts = [
    total(rows, row => row.managed),
    total(rows, row => row.unmanaged),
    total(rows, row => row.recent),
    total(rows, row => row.spilled)
  ];
  const used = parts[0] + parts[1] + parts[2];
  const limit = limitOf(rows);
  const whole = Math.max(limit || 0, used + parts[3]) || 1;
  const colours = [...theme.memory(worstLevel(rows)), theme.spilled];
  return {
    figure: limit > 0 ? formatBytesOf(used, limit) : formatBytes(used),
    segments: parts.map((bytes, i) => ({ share: bytes / whole, colour: colours[i] })).filter(segment => segment.share > 0)
  };
}

function threads(run: Run, theme: Theme, trans: Translate): Bar {
  if (!run.has('workers')) {
    return UNKNOWN;
  }
  const rows = liveWorkers(run);
  const all = total(rows, row => row.nthreads);
  const busy = total(rows, busyThreadsOf);
  return {
    figure: trans.__('%1 / %2 busy', formatCount(busy), formatCount(all)),
    segments: all > 0 ? [{ share: busy / all, colour: theme.textSecondary }] : []
  };
}
