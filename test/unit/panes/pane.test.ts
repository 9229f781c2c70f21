// @vitest-environment jsdom
import { Clipboard, Notification } from '@jupyterlab/apputils';
import { MessageLoop } from '@lumino/messaging';
import { Signal } from '@lumino/signaling';
import { Widget } from '@lumino/widgets';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_SETTINGS, type Settings } from '../../../src/base/jupyter/settings';
import { Lazy } from '../../../src/base/lazy';
import { ClientRegistry } from '../../../src/clients/registry';
import { type ActionCode, Actor } from '../../../src/panes/actions/actor';
import { PlotPane } from '../../../src/panes/pane/pane';
import type { PaneArgs } from '../../../src/panes/pane/pane-args';
import type { Plot, PlotContext } from '../../../src/plot/plot';
import { selectionOf } from '../../../src/run/selection/selection';
import { frozen } from '../../../src/run/frozen';
import type { Run } from '../../../src/run/run';
import type { View, ViewHost } from '../../../src/views/view';
import { client, FakeChannel, FakeDocuments, FakeKernel, FakeSessions, frame } from '../clients/fakes';
import { tasksBody } from '../run/synthetic';
import { translate as trans } from '../translate';

const workers = (run: Run): number => run.workers.size;

/** A plot that counts workers. */
const plot: Plot = {
  id: 'workers',
  icon: '<path d="M1 1h14v14H1z"/>',
  title: 'Workers',
  caption: 'who works',
  group: 'workers',
  synonyms: [],
  topics: ['workers'],
  howToRead: 'One row per worker.',
  view: 'table',
  options: [
    {
      id: 'sort',
      label: 'Sort',
      choices: [
        { value: 'name', label: 'by name' },
        { value: 'use', label: 'by use' }
      ],
      initial: 'name'
    }
  ],
  empty: run => (workers(run) > 0 ? null : { head: 'No workers', body: 'The cluster waits.', awaited: true }),
  titleLine: run => [{ text: `${workers(run)} workers`, tone: 'strong' }],
  legend: () => [{ id: 'x', label: '<i>x</i>', colour: '#000000', pattern: 'none' }],
  notes: () => ['12 lost'],
  table: () => ({ columns: [], rows: [] }),
  summary: () => ''
};

class FakeView implements View {
  readonly node = document.createElement('div');
  readonly shownAt = 1004;
  readonly pausedChanged = new Signal<this, boolean>(this);
  readonly failed = new Signal<this, unknown>(this);
  isDisposed = false;
  updates = 0;
  /** How often it got the focus. */
  focused = 0;
  visible = false;
  paused = false;
  shownRun: Run | null = null;

  constructor(readonly host: ViewHost) {}

  update(): void {
    this.updates += 1;
  }
  resize(): void {}
  setTheme(): void {}
  setVisible(visible: boolean): void {
    this.visible = visible;
  }
  setPaused(paused: boolean): void {
    this.paused = paused;
  }
  focus(): void {
    this.focused += 1;
  }
  dispose(): void {
    this.isDisposed = true;
  }
}

const args: PaneArgs = {
  plot: 'workers',
  number: 1,
  binding: { follow: true },
  options: {},
  hidden: [],
  table: false,
  legend: true,
  saved: {}
};
let documents: FakeDocuments;
let channel: FakeChannel;
/** Channels of further kernels, by id. */
const channels = new Map<string, FakeChannel>();
let registry: ClientRegistry;
let views: FakeView[];
let create: (host: ViewHost) => Promise<View>;
let pane: PlotPane;

const settle = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const text = (selector: string): string => pane.node.querySelector(selector)?.textContent ?? '';
const shown = (selector: string): boolean => !pane.node.querySelector<HTMLElement>(selector)?.hidden;
const workersFrame = (seq: number, ...ids: number[]) =>
  frame({ seq, time: 1000 + seq, topics: { workers: { columns: { id: Uint16Array.from(ids) }, scalars: {} } } });

/** A client appears and sends a frame with these workers. */
async function live(...ids: number[]): Promise<void> {
  channel.answer('ready', client('c'));
  await settle();
  channel.feeds.get('c')?.frame.emit(workersFrame(0, ...ids));
  await settle(300);
}

/** Put a pane of a plot onto the page. */
async function show(shownPlot: Plot, given = args, actor?: Actor): Promise<void> {
  pane = new PlotPane(shownPlot, given, {
    clients: registry,
    actor,
    trans,
    createView: (_, host) => create(host),
    createTable: (_, host) => create(host),
    follow: pane => pane.change({ binding: { follow: true } }),
    lead: () => undefined,
    open: plot => opened.push(plot),
    saveReport: (_, ...what) => reports.push(what)
  });
  Widget.attach(pane, document.body);
  await settle();
}

beforeEach(async () => {
  vi.useFakeTimers();
  documents = new FakeDocuments();
  channel = new FakeChannel();
  views = [];
  create = host => {
    const view = new FakeView(host);
    views.push(view);
    return Promise.resolve(view);
  };
  registry = new ClientRegistry({
    documents,
    sessions: new FakeSessions(),
    kernels: {
      createChannel: kernel => channels.get(kernel.id) ?? channel,
      connect: () => new FakeKernel('own').connection,
      settings: { values: DEFAULT_SETTINGS, changed: new Signal<Settings, void>({} as Settings) },
      languageOf: () => undefined,
      activation: { line: '', ready: Promise.resolve(), enabled: () => false }
    }
  });
  documents.show({ path: 'a.ipynb', kernel: new FakeKernel('k') });
  await settle();
  await show(plot);
});

afterEach(() => {
  pane.dispose();
  registry.dispose();
  vi.useRealTimers();
});

let opened: string[] = [];
/** What was to be saved as a report. */
const reports: unknown[] = [];

describe('what is selected', () => {
  it('is said below a plot that dims the rest, also while paused, and ends with its button', async () => {
    pane.dispose();
    await show({ ...plot, acts: () => null });
    await live(1, 2);
    const { run } = views[views.length - 1].host;
    expect(shown('.dp-Status-selected')).toBe(false);
    selectionOf(run).select({ functions: ['two\nlines'] });
    await settle(300);
    expect(text('.dp-Status-selected bdi')).toBe('Selected: two lines');
    pane.setPaused(true);
    selectionOf(run).change({ functions: ['<b>', 'c'] });
    await settle(300);
    expect(text('.dp-Status-selected bdi')).toBe('Selected: 2 functions');
    const words = pane.node.querySelector<HTMLElement>('.dp-Status-selected bdi');
    expect([words?.title.split('\n')[1], words?.getAttribute('role')]).toEqual([
      'Statistics of what is selected, in the task stream',
      'button'
    ]);
    opened = [];
    words?.click();
    words?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
    expect(opened).toEqual(['task-stream', 'task-stream']);
    pane.node.querySelector<HTMLElement>('.dp-Status-selected button')?.click();
    await settle(300);
    expect([shown('.dp-Status-selected'), selectionOf(run).current.functions]).toEqual([false, null]);
    // The button that had the focus has gone: Escape and other keys are for the picture.
    expect(views[views.length - 1].focused).toBe(1);
  });

  it('is said of a pane that shows the selected worker, until one is chosen', async () => {
    pane.dispose();
    const choices = ['', 'tcp://b:1'].map(value => ({ value, label: value }));
    const options = [{ id: 'worker', label: 'Of', choices, initial: '' }];
    await show({ ...plot, view: 'worker', options } as Plot);
    await live(1, 2);
    selectionOf(views[views.length - 1].host.run).select({ workers: ['tcp://a:1'] });
    await settle(300);
    expect(shown('.dp-Status-selected')).toBe(true);
    selectionOf(views[views.length - 1].host.run).select({ functions: ['load'] });
    await settle(300);
    expect(shown('.dp-Status-selected')).toBe(false);
    selectionOf(views[views.length - 1].host.run).select({ workers: ['tcp://a:1'] });
    pane.change({ options: { worker: 'tcp://b:1' } });
    await settle(300);
    expect(shown('.dp-Status-selected')).toBe(false);
  });

  it.each([
    ['a graph', { view: 'graph' }],
    ['a table whose rows are dimmed', { view: 'table', leftOut: () => false }],
    ['a chart of what is selected', { view: 'vega', followsSelection: true }]
  ])('is said below %s', async (_, more) => {
    pane.dispose();
    await show({ ...plot, ...more } as Plot);
    await live(1);
    selectionOf(views[views.length - 1].host.run).select({ functions: ['load'] });
    await settle(300);
    expect(text('.dp-Status-selected bdi')).toBe('Selected: load');
  });

  it('is said of a chart of the selected period only where a period is selected', async () => {
    pane.dispose();
    await show({ ...plot, view: 'vega', followsSelection: 'period' } as Plot);
    await live(1);
    const selection = selectionOf(views[views.length - 1].host.run);
    selection.select({ functions: ['load'] });
    await settle(300);
    expect(shown('.dp-Status-selected')).toBe(false);
    selection.change({ period: { from: 1000, to: 1001 } });
    await settle(300);
    expect(shown('.dp-Status-selected')).toBe(true);
  });

  it('is said of a chart that follows it with one choice only while that is chosen', async () => {
    pane.dispose();
    const followsSelection = { option: 'sort', value: 'use' };
    await show({ ...plot, view: 'vega', followsSelection } as Plot);
    await live(1);
    selectionOf(views[views.length - 1].host.run).select({ period: { from: 1000, to: 1001 } });
    await settle(300);
    expect(shown('.dp-Status-selected')).toBe(false);
    pane.change({ options: { sort: 'use' } });
    await settle(300);
    expect(shown('.dp-Status-selected')).toBe(true);
  });

  it('is known to a plot, also while paused', async () => {
    pane.dispose();
    await show({ ...plot, acts: () => null, titleLine: (_, { selection }) => [{ text: String(selection.functions) }] });
    await live(1);
    expect(text('.dp-Pane-counts')).toBe('null');
    const { host } = views[views.length - 1];
    selectionOf(host.run).select({ functions: ['load'] });
    await settle(300);
    expect(text('.dp-Pane-counts')).toBe('load');
    pane.setPaused(true);
    selectionOf(host.run).select({ functions: ['sum'] });
    await settle(300);
    expect([text('.dp-Pane-counts'), host.context.selection.functions]).toEqual(['sum', ['sum']]);
  });

  it('is that of its own run for the view of the client before', async () => {
    await live(1);
    const { host } = views[views.length - 1];
    selectionOf(host.run).select({ functions: ['load'] });
    create = () => new Promise(() => undefined);
    channel.answer('ready', client('c', { status: 'closed' }), client('d', { created: 2 }));
    await settle();
    expect(pane.node.dataset.client).toBe('d');
    expect(host.context.selection.functions).toEqual(['load']);
  });

  it('is not said where a plot shows everything anyway', async () => {
    await live(1);
    selectionOf(views[views.length - 1].host.run).select({ functions: ['load'] });
    await settle(300);
    expect(shown('.dp-Status-selected')).toBe(false);
  });
});

describe('a pane', () => {
  it('says what to do while there is no client, and fills when one appears', async () => {
    channel.answer('ready');
    await settle();
    expect(pane.node.dataset.state).toBe('none');
    expect(text('.dp-Message-head')).toBe('No Dask client yet');
    expect(text('.dp-Message-body')).toBe('Run Client() in a notebook to see its cluster here.');
    channel.answer('ready', client('local', { kind: 'local' }));
    await settle();
    expect(text('.dp-Message-body')).toBe(
      'Run Client() in a notebook to see its cluster here. a.ipynb computes without a Client: the layout Local shows its tasks.'
    );
    await live(1, 2);
    expect(pane.node.dataset).toMatchObject({ plot: 'workers', state: 'live', client: 'c' });
    expect(text('.dp-Pane-counts')).toBe('2 workers');
    expect(text('.dp-Status-notes')).toBe('12 lost');
    expect(shown('.dp-Pane-picture')).toBe(true);
    expect(pane.node.querySelector('.dp-Legend i')).toBeNull();
  });

  it('does not say that there is no client where the kernel says that it keeps one to itself', async () => {
    channel.reason = 'dask-panes.attach is false: call dask_panes.attach(client).';
    channel.answer('ready');
    await settle();
    expect(text('.dp-Message-head')).toBe('A client of a.ipynb is not shown');
    expect(text('.dp-Message-body')).toBe(channel.reason);
  });

  it('says how far the end of a recording is, for which a cell waits', async () => {
    await live(1, 2);
    channel.answer('ready', client('c', { ending: { what: 'recording', doing: 'file', share: 1 } }));
    await settle();
    expect(text('.dp-Status-notes')).toBe('finishing a recording · writing the file · 12 lost');
    channel.answer('ready', client('c'));
    await settle();
    expect(text('.dp-Status-notes')).toBe('12 lost');
  });

  it('has the same symbol beside the name of its client as in its status line', async () => {
    await live(1, 2);
    const signs = (): (string | undefined)[] =>
      [...pane.node.querySelectorAll<HTMLElement>('.dp-Sign')].map(({ dataset }) => dataset.sign);
    expect(signs()).toEqual(['disc', 'disc']);
    channel.feeds.get('c')?.become({ status: 'silent' });
    await settle(300);
    expect(pane.node.dataset.state).toBe('silent');
    expect(signs()).toEqual(['square', 'square']);
  });

  it('names the client where its notebook has had another one', async () => {
    await live(1, 2);
    expect(text('.dp-Chip-text')).toBe('a.ipynb');
    channel.answer('ready', client('c'), client('d', { variable: 'other', created: 2 }));
    await settle(300);
    expect(text('.dp-Chip-text')).toBe('other · a.ipynb');
    expect(pane.node.querySelector<HTMLElement>('.dp-Chip')?.dataset.several).toBe('true');
    // A narrow pane shows only which of the clients it is.
    expect(text('.dp-Chip-notebook')).toBe(' · a.ipynb');
  });

  it('acts on its client also after its notebook was renamed', async () => {
    const code = new Lazy<ActionCode>(() => Promise.reject(new Error('not needed')));
    const settings = { values: DEFAULT_SETTINGS };
    const actor = new Actor({ clients: registry, settings, code, trans, warn: () => undefined });
    pane.dispose();
    await show(plot, args, actor);
    const kernel = new FakeKernel('k');
    documents.show({ path: 'a.ipynb', kernel, session: 's' });
    channel.answer('ready', client('c', { actions: '' }));
    await settle();
    channel.feeds.get('c')?.frame.emit(workersFrame(0, 1));
    await settle(300);
    const refusals = (): (string | undefined)[] | undefined =>
      views[0].host.actions?.of({ kind: 'worker', address: 'tcp://a', name: 'a' }).map(({ refusal }) => refusal);
    expect(refusals()).toEqual(['', '', '', '']);
    documents.show({ path: 'b.ipynb', kernel, session: 's' });
    await settle(300);
    expect([views.length, text('.dp-Chip-text'), refusals()]).toEqual([1, 'b.ipynb', ['', '', '', '']]);
  });

  it('has no actions while it shows the run of an earlier scheduler: they would be on the present one', async () => {
    const settings: Pick<Settings, 'values'> = { values: { ...DEFAULT_SETTINGS, actions: true } };
    const code = new Lazy<ActionCode>(() => Promise.resolve({ carryOut: () => Promise.resolve(true) }));
    const actor = new Actor({ clients: registry, settings, code, trans, warn: () => undefined });
    pane.dispose();
    await show(plot, args, actor);
    await live(1);
    const [view] = views;
    const { run, actions } = view.host;
    const labels = (): readonly string[] =>
      actions?.of({ kind: 'worker', address: 'tcp://a:1', name: 'a' }).map(({ label }) => label) ?? [];
    view.shownRun = frozen(run);
    expect(labels()).toContain('Retire worker…');
    channel.feeds.get('c')?.frame.emit({ ...workersFrame(0, 1), epoch: 1 });
    expect(labels()).toEqual([]);
    expect(actions?.open({ kind: 'function', prefix: 'f' }, view.node)).toBe(false);
    expect(document.querySelector('.lm-Menu')).toBeNull();
    view.shownRun = null;
    expect(labels()).toContain('Retire worker…');
  });

  it('offers to send the bridge to a kernel without it', async () => {
    channel.answer('missing');
    await settle();
    expect(text('.dp-Message-head')).toContain('missing');
    // Nothing tells one of these from the other.
    expect(text('.dp-Message-body')).toMatch(/does not have the package, or the setting .* is off/);
    pane.node.querySelector<HTMLButtonElement>('.dp-Message button')?.click();
    expect(channel.bridges).toBe(1);
    // It is no failure of the plot.
    vi.spyOn(channel, 'addBridge').mockRejectedValue(new Error('The kernel has not answered for 30 s.'));
    pane.node.querySelector<HTMLButtonElement>('.dp-Message button')?.click();
    await settle();
    expect(text('.dp-Message-head')).toContain('missing');
    expect(Notification.manager.notifications.map(({ message }) => message)).toEqual(['The kernel has not answered for 30 s.']);
    Notification.dismiss();
  });

  it('says "loading" only after 300 ms', async () => {
    channel.answer('ready', client('c'));
    await settle(100);
    expect(text('.dp-Message-head')).toBe('');
    await settle(600);
    expect(text('.dp-Message-head')).toBe('Loading');
    expect(pane.node.dataset.state).toBe('loading');
  });

  it('says what is when there is nothing to draw', async () => {
    await live();
    expect(pane.node.dataset.state).toBe('empty');
    expect(text('.dp-Message-head')).toBe('No workers');
    channel.feeds.get('c')?.frame.emit(workersFrame(1, 1));
    await settle(300);
    expect(pane.node.dataset.state).toBe('live');
    expect(shown('.dp-Pane-picture')).toBe(true);
  });

  it('says that a cluster sends nothing for the plot, instead of waiting forever', async () => {
    channel.answer('ready', client('c'));
    await settle();
    const other = { prefixes: { columns: { id: new Uint16Array(0) }, scalars: {} } };
    channel.feeds.get('c')?.frame.emit(frame({ seq: 0, time: 1000, topics: other }));
    await settle(2000);
    expect(text('.dp-Message-head')).toBe('Loading');
    await settle(9000);
    expect(text('.dp-Message-head')).toBe('Nothing is known');
    expect(text('.dp-Message-body')).toContain('older than this plot');
    channel.feeds.get('c')?.frame.emit(workersFrame(1));
    await settle(300);
    expect(text('.dp-Message-body')).toBe('The cluster waits.');
  });

  it('draws nothing and asks for nothing while hidden', async () => {
    await live(1);
    pane.hide();
    const { updates } = views[0];
    expect(channel.feeds.get('c')?.topics).toEqual([]);
    expect(views[0].visible).toBe(false);
    channel.feeds.get('c')?.frame.emit(workersFrame(1, 1, 2));
    expect(views[0].updates).toBe(updates);
    pane.show();
    await settle(300);
    expect(text('.dp-Pane-counts')).toBe('2 workers');
    expect(views[0].updates).toBeGreaterThan(updates);
  });

  it('asks for the topics of a choice only while that is made, and is renewed by them', async () => {
    pane.dispose();
    await show({ ...plot, choiceTopics: [{ option: 'sort', value: 'use', topics: ['tasks', 'workers'] }] });
    await live(1);
    const feed = channel.feeds.get('c');
    const view = views[views.length - 1];
    expect(feed?.topics).toEqual(['meta', 'workers']);
    pane.change({ options: { sort: 'use' } });
    expect(feed?.topics).toEqual(['meta', 'workers', 'tasks']);
    // A page with this plot alone has them, too.
    pane
      .menuItems()
      .find(item => item?.label === 'Save this plot as HTML')
      ?.run();
    expect(reports).toEqual([[['workers'], ['workers', 'tasks']]]);
    await settle(300);
    const { updates } = view;
    feed?.frame.emit(frame({ seq: 1, time: 1001, topics: { tasks: tasksBody([{ start: 1000, duration: 1 }]) } }));
    expect(view.updates).toBe(updates + 1);
    pane.hide();
    expect(feed?.topics).toEqual([]);
    pane.show();
    expect(feed?.topics).toEqual(['meta', 'workers', 'tasks']);
    pane.change({ options: {} });
    expect(feed?.topics).toEqual(['meta', 'workers']);
    pane.dispose();
    expect(feed?.topics).toEqual([]);
  });

  it('stands still while paused, and follows again', async () => {
    await live(1);
    const pause = pane.node.querySelector<HTMLButtonElement>('.dp-Pane-pause');
    pause?.click();
    expect(pane.node.dataset.state).toBe('paused');
    // Its name says what it does: "Follow live, pressed" would say that the pane follows.
    expect([pause?.ariaLabel, pause?.hasAttribute('aria-pressed')]).toEqual(['Follow live', false]);
    expect(text('.dp-Status-text')).toBe('paused at 0:04.0');
    channel.feeds.get('c')?.frame.emit(workersFrame(1, 1, 2));
    await settle(300);
    expect(text('.dp-Pane-counts')).toBe('1 workers');
    pane.node.querySelector<HTMLButtonElement>('.dp-Status-state .dp-Link')?.click();
    expect(pane.node.dataset.state).toBe('live');
    expect(text('.dp-Pane-counts')).toBe('2 workers');
    expect(views[0].paused).toBe(false);
  });

  it('has the legend of the theme of the page, also while paused', async () => {
    pane.dispose();
    const themes = new Set<unknown>();
    const item = { id: 'a', colour: '#000000', pattern: 'none' } as const;
    await show({ ...plot, legend: (_, { theme }) => [{ ...item, label: `theme ${themes.add(theme).size}` }] });
    await live(1);
    pane.setPaused(true);
    await settle(300);
    expect(text('.dp-Legend-item')).toBe('theme 1');
    pane.retheme();
    expect(text('.dp-Legend-item')).toBe('theme 2');
  });

  it('says so when the user pans away from now', async () => {
    await live(1);
    views[0].pausedChanged.emit(true);
    expect(pane.node.dataset.state).toBe('paused');
    expect(pane.isPaused).toBe(true);
  });

  it('says nothing of the client before of one that sends no data', async () => {
    await live(1, 2);
    expect(text('.dp-Pane-counts')).toBe('2 workers');
    channel.answer('ready', client('c', { status: 'closed' }), client('d', { created: 2, limited: 'no collector' }));
    await settle();
    channel.feeds.get('d')?.become({ status: 'limited', reason: 'Its scheduler takes no plugin.' });
    await settle(1000);
    expect(text('.dp-Message-head')).toBe('This cluster cannot be shown');
    const texts = [text('.dp-Pane-counts'), shown('.dp-Legend'), text('.dp-Status-notes')];
    expect(texts).toEqual(['', false, 'limited: Its scheduler takes no plugin.']);
    channel.feeds.get('d')?.become({ status: 'live', reason: '' });
    pane.setPaused(true);
    channel.feeds.get('d')?.frame.emit(workersFrame(0, 1));
    await settle(300);
    expect([text('.dp-Pane-counts'), shown('.dp-Legend')]).toEqual(['1 workers', true]);
  });

  it('keeps the picture of a client that closed, and moves on to the next', async () => {
    await live(1);
    channel.answer('ready', client('c', { status: 'closed', closedAt: 1_700_000_000 }));
    await settle();
    expect(pane.node.dataset.state).toBe('closed');
    expect(shown('.dp-Pane-picture')).toBe(true);
    expect(text('.dp-Banner')).toContain('Its data stays here');
    channel.answer('ready', client('c', { status: 'closed' }), client('d', { created: 2 }));
    await settle();
    expect(pane.node.dataset.client).toBe('d');
    expect(views[0].isDisposed).toBe(true);
    expect(shown('.dp-Banner')).toBe(false);
  });

  it('names the client whose picture it keeps, also while a notebook is active whose client nobody has seen', async () => {
    const other = new FakeChannel();
    channels.set('k2', other);
    await live(1);
    const a = { path: 'a.ipynb', kernel: new FakeKernel('k') };
    const b = { path: 'b.ipynb', kernel: new FakeKernel('k2') };
    documents.show(a, b);
    await settle();
    other.answer('ready', client('x', { status: 'closed', closedAt: 1 }));
    channel.answer('ready');
    await settle(300);
    expect([text('.dp-Chip-text'), pane.node.dataset.state]).toEqual(['a.ipynb', 'closed']);
    documents.show(b, a);
    await settle(300);
    expect(views).toHaveLength(1);
    expect([text('.dp-Chip-text'), pane.node.dataset.state]).toEqual(['a.ipynb', 'closed']);
  });

  it('stays with its client while paused, also while another notebook is active, and follows when it goes on', async () => {
    const other = new FakeChannel();
    channels.set('k2', other);
    await live(1, 2);
    pane.setPaused(true);
    const a = { path: 'a.ipynb', kernel: new FakeKernel('k') };
    const b = { path: 'b.ipynb', kernel: new FakeKernel('k2') };
    documents.show(b, a);
    await settle();
    other.answer('ready', client('x', { created: 2 }));
    await settle();
    other.feeds.get('x')?.frame.emit(workersFrame(0, 1));
    await settle(1000);
    expect([views.length, text('.dp-Chip-text'), text('.dp-Pane-counts')]).toEqual([1, 'a.ipynb', '2 workers']);
    pane.setPaused(false);
    await settle(300);
    other.feeds.get('x')?.frame.emit(workersFrame(0, 1));
    await settle(1000);
    expect([views.length, text('.dp-Chip-text'), text('.dp-Pane-counts')]).toEqual([2, 'b.ipynb', '1 workers']);
  });

  it('that is paused offers the next client of its notebook, and goes on with it', async () => {
    await live(1, 2);
    views[0].pausedChanged.emit(true);
    channel.answer('ready', client('c', { status: 'closed' }), client('d', { created: 2 }));
    await settle(300);
    expect([views.length, pane.node.dataset.state, text('.dp-Banner button')]).toEqual([1, 'closed', 'Show a.ipynb']);
    pane.node.querySelector<HTMLElement>('.dp-Banner button')?.click();
    await settle(300);
    channel.feeds.get('d')?.frame.emit(workersFrame(0, 1, 2, 3));
    await settle(1000);
    expect([views.length, views[1].paused, text('.dp-Pane-counts')]).toEqual([2, false, '3 workers']);
  });

  it('waits for nothing any more when the client has closed', async () => {
    await live();
    expect(text('.dp-Message-body')).toBe('The cluster waits.');
    channel.answer('ready', client('c', { status: 'closed', closedAt: 1_700_000_000 }));
    await settle(300);
    expect(pane.node.dataset.state).toBe('closed');
    expect(text('.dp-Message-body')).toBe('There was nothing to show here until the end.');
    // Of what came after the pause it says nothing.
    pane.setPaused(true);
    expect(text('.dp-Message-body')).toBe('The cluster waits.');
  });

  it('pinned to a client that closed leads to the newest with one click', async () => {
    await live(1);
    pane.change({ binding: { follow: false, path: 'a.ipynb', client: 'c' } });
    channel.answer('ready', client('c', { status: 'closed' }), client('d', { created: 2 }));
    await settle();
    expect(pane.node.dataset).toMatchObject({ state: 'closed', client: 'c' });
    pane.node.querySelector<HTMLButtonElement>('.dp-Banner button')?.click();
    await settle();
    expect(pane.node.dataset.client).toBe('d');
    expect(pane.restoreArgs.binding).toEqual({ follow: true });
  });

  it('names a failure of its view, and tries again', async () => {
    create = () => Promise.reject(new Error('no <b>canvas</b>'));
    await live(1);
    expect(pane.node.dataset.state).toBe('failed');
    expect(text('.dp-Message-body')).toBe('no <b>canvas</b>');
    create = host => Promise.resolve(new FakeView(host));
    pane.node.querySelector<HTMLButtonElement>('.dp-Message button')?.click();
    await settle(300);
    expect(pane.node.dataset.state).toBe('live');
  });

  it.each(['hidden', 'closed'])('closes what it has opened when it is %s, as by a key', async how => {
    await live(1);
    const shown = (): number => document.querySelectorAll('.dp-Popover').length;
    const leave = (): void => (how === 'hidden' ? pane.hide() : pane.close());
    pane.node.querySelector<HTMLElement>('.dp-Status-notes')?.click();
    expect(shown()).toBe(1);
    leave();
    expect(shown()).toBe(0);
  });

  it('closes its menu when it is hidden', async () => {
    await live(1);
    const shown = (): number => document.querySelectorAll('.lm-Menu.dp-Menu').length;
    const target = pane.node.querySelector('.dp-Pane-counts');
    target?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
    expect(shown()).toBe(1);
    pane.hide();
    expect(shown()).toBe(0);
  });

  it('opens its menu by a right click, but where something has its own, or the browser has text to copy', async () => {
    await live(1);
    const menus = (): number => document.querySelectorAll('.lm-Menu.dp-Menu').length;
    const press = (node: Element | null, init: MouseEventInit = {}): boolean =>
      node?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, ...init })) === false;
    const picture = pane.node.querySelector('.dp-Pane-picture');
    expect(press(pane.node.querySelector('.dp-Pane-counts'), { shiftKey: true })).toBe(false);
    const field = document.createElement('input');
    picture?.append(field);
    expect(press(field)).toBe(false);
    field.addEventListener('contextmenu', event => event.preventDefault());
    press(field);
    const text = pane.node.querySelector('.dp-Pane-counts');
    document.getSelection()?.selectAllChildren(text!);
    expect(press(text)).toBe(false);
    document.getSelection()?.removeAllRanges();
    expect(menus()).toBe(0);
    for (const node of [text, picture]) {
      expect(press(node)).toBe(true);
      expect(menus()).toBe(1);
      expect(document.querySelector('.lm-Menu.dp-Menu')?.textContent).toContain('Save table as CSV');
      document.querySelector('.lm-Menu.dp-Menu')?.dispatchEvent(new KeyboardEvent('keydown', { keyCode: 27, bubbles: true }));
      await settle();
      expect(menus()).toBe(0);
    }
  });

  it('shows its table where its picture has failed', async () => {
    await live(1);
    views[0].failed.emit(new Error('broken'));
    await settle(300);
    expect([text('.dp-Message-head'), shown('.dp-Pane-picture')]).toEqual(['Workers could not be drawn', false]);
    pane.change({ table: true });
    await settle(300);
    expect([text('.dp-Message-head'), shown('.dp-Pane-picture'), pane.node.dataset.state]).toEqual(['', true, 'live']);
  });

  it('copies details of a failure where the browser has no clipboard: on plain http', async () => {
    const copied = vi.spyOn(Clipboard, 'copyToSystem').mockImplementation(() => undefined);
    expect(navigator.clipboard).toBeUndefined();
    create = () => Promise.reject(new Error('no canvas'));
    await live(1);
    const buttons = [...pane.node.querySelectorAll<HTMLButtonElement>('.dp-Message button')];
    buttons.find(button => button.textContent === 'Copy details')?.click();
    expect(copied).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('no canvas'));
    expect(pane.node.dataset.state).toBe('failed');
    copied.mockRestore();
  });

  it.each(['failed in a frame', 'threw in an update'])('shows that a view %s', async how => {
    await live(1);
    if (how === 'failed in a frame') {
      views[0].failed.emit(new Error('broken'));
    } else {
      views[0].update = () => {
        throw new Error('broken');
      };
      channel.feeds.get('c')?.frame.emit(workersFrame(1, 1));
    }
    expect(pane.node.dataset.state).toBe('failed');
    expect(text('.dp-Message-body')).toBe('broken');
    expect(views[0].isDisposed).toBe(true);
  });

  it('hands its options and hidden items to the view, and keeps them for a reload', async () => {
    await live(1);
    const saved = vi.fn();
    pane.argsChanged.connect(saved);
    const context = (): PlotContext => views[0].host.context;
    expect(context().options).toEqual({ sort: 'name' });
    pane.node.querySelector<HTMLElement>('[data-legend="x"]')?.click();
    expect([...context().hidden]).toEqual(['x']);
    views[0].host.save({ zoom: 2 });
    expect(pane.restoreArgs).toMatchObject({ hidden: ['x'], saved: { zoom: 2 } });
    expect(saved).toHaveBeenCalledTimes(2);
  });

  describe('what was selected before a reload', () => {
    const selected = JSON.stringify({ functions: ['inc'] });
    const a = client('a', { scheduler: 'first', created: 1 });
    const b = client('b', { scheduler: 'second', created: 2 });

    /** A page that was reloaded shows these clients one after the other, with what views find saved there. */
    async function pass(saved: PaneArgs['saved'], ...clients: ReturnType<typeof client>[]): Promise<void> {
      pane.dispose();
      views = [];
      for (const [i, each] of clients.entries()) {
        channel.answer('ready', each);
        await (i > 0 ? settle(300) : show(plot, { ...args, saved }));
      }
    }
    const hosts = (): readonly unknown[] => views.map(({ host }) => host.saved);

    it('is that of its scheduler, also where another one is shown first', async () => {
      const saved = { selection: selected, zoom: 2, of: 'second' };
      await pass(saved, a, b);
      expect(hosts()).toEqual([{ zoom: 2, of: 'second' }, saved]);
      expect(pane.restoreArgs.saved).toEqual(saved);
    });

    it('waits while the other one saves its place, and is over once something is selected there', async () => {
      const saved = { selection: selected, of: 'second' };
      await pass(saved, a);
      views[0].host.save({ scroll: 7, of: 'second' });
      expect(pane.restoreArgs.saved).toEqual({ ...saved, scroll: 7 });
      views[0].host.save({ selection: '{"erred":true}' });
      expect(pane.restoreArgs.saved).toEqual({ selection: '{"erred":true}', of: 'first' });
      channel.answer('ready', b);
      await settle(300);
      expect(views[1].host.saved).toEqual({});
    });

    it('is that of any client of the scheduler, and of one whose scheduler is not known', async () => {
      await pass({}, a, client('c', { scheduler: 'first', created: 3 }));
      views[0].host.save({ selection: selected });
      const saved = { selection: selected, of: 'first' };
      expect(pane.restoreArgs.saved).toEqual(saved);
      const unknown = client('d', { created: 4 });
      await pass(saved, unknown);
      expect(hosts()).toEqual([{ of: 'first' }]);
      await pass({ selection: selected, of: 'd' }, unknown);
      expect(hosts()).toEqual([{ selection: selected, of: 'd' }]);
    });
  });

  it('hides what has ended when its history is cleared, and has a way back', async () => {
    pane.dispose();
    await show({ ...plot, view: 'timeline', clearable: true });
    await live(1);
    const feed = channel.feeds.get('c');
    const tasks = tasksBody([
      { start: 1000, duration: 1 },
      { start: 1000, duration: 2 }
    ]);
    feed?.frame.emit(frame({ seq: 1, time: 1003, topics: { tasks } }));
    expect(shown('.dp-Status-cleared')).toBe(false);
    pane.clearHistory();
    expect(text('.dp-Status-cleared')).toBe('2 tasks cleared · show again');
    expect(views.at(-1)?.host.context.cleared).toMatchObject({ row: 2, tasks: 2 });
    expect(pane.restoreArgs.cleared).toEqual(views.at(-1)?.host.context.cleared);
    pane.node.querySelector<HTMLElement>('.dp-Status-cleared button')?.click();
    expect(shown('.dp-Status-cleared')).toBe(false);
    expect(views.at(-1)?.host.context.cleared).toBeNull();
  });

  it('begins sums anew when its history is cleared, unless its options have it show something else', async () => {
    pane.dispose();
    const clearable = { option: 'sort', value: 'name' };
    await show({ ...plot, clearable, clearedTasks: null, sums: run => ({ workers: workers(run) }) });
    await live(1);
    pane.clearHistory();
    expect(text('.dp-Status-cleared')).toBe('history cleared · show again');
    expect(pane.restoreArgs.cleared?.sums).toEqual({ workers: 1 });
    expect(views.at(-1)?.host.context.cleared?.sums).toEqual({ workers: 1 });
    pane.change({ options: { sort: 'use' } });
    expect([pane.isClearable, shown('.dp-Status-cleared')]).toEqual([false, false]);
    expect(views.at(-1)?.host.context.cleared).toBeNull();
    pane.change({ options: {} });
    expect(shown('.dp-Status-cleared')).toBe(true);
    pane.showCleared();
    expect(shown('.dp-Status-cleared')).toBe(false);
  });

  it('does not clear what has no history', async () => {
    await live(1);
    pane.clearHistory();
    expect([pane.isClearable, pane.restoreArgs.cleared]).toEqual([false, undefined]);
  });

  it('says why nothing comes of a scheduler that takes no collector', async () => {
    channel.answer('ready', client('c'));
    await settle();
    channel.feeds.get('c')?.become({ status: 'limited', reason: '<b>blocked</b>' });
    await settle(500);
    expect(pane.node.dataset.state).toBe('limited');
    expect(text('.dp-Message-body')).toBe('<b>blocked</b>');
  });

  it('does not say that there is nothing where a scheduler that takes no collector does not tell', async () => {
    pane.dispose();
    await show({
      ...plot,
      topics: ['workers', 'events'],
      titleLine: () => [{ text: '0 events' }],
      empty: () => ({ head: 'No events', body: 'They appear here.' })
    });
    channel.answer('ready', client('c', { limited: 'blocked' }));
    await settle();
    const feed = channel.feeds.get('c');
    feed?.become({ status: 'limited', reason: 'blocked' });
    feed?.frame.emit(workersFrame(0, 1));
    await settle(1500);
    const said = (): string => `${text('.dp-Message-head')}: ${text('.dp-Message-body')}`;
    expect(said()).toBe('Nothing is known: This scheduler does not report all that this plot shows: blocked');
    expect(pane.node.textContent).not.toContain('0 events');
    feed?.become({ status: 'silent' });
    await settle(500);
    expect(said()).toContain('Nothing is known');
  });

  it('is gone when the user closes it', async () => {
    await live(1);
    pane.close();
    MessageLoop.flush();
    expect(pane.isDisposed).toBe(true);
    expect(channel.feeds.get('c')?.isDisposed).toBe(true);
    expect(views[0].isDisposed).toBe(true);
  });

  it('signals that it is gone: JupyterLab keeps a widget until then', () => {
    let count = 0;
    pane.disposed.connect(() => {
      count += 1;
    });
    pane.close();
    expect(count).toBe(1);
  });

  it('leaves nothing behind', async () => {
    await live(1);
    // Panes that follow would stay with what it shows.
    expect([...registry.viewers].map(viewer => viewer.live?.info.key)).toEqual(['c']);
    pane.dispose();
    MessageLoop.flush();
    expect(registry.viewers.size).toBe(0);
    expect(channel.feeds.get('c')?.isDisposed).toBe(true);
    expect(views[0].isDisposed).toBe(true);
    registry.dispose();
    expect(vi.getTimerCount()).toBe(0);
  });
});
