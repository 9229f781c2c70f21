// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { Signal } from '@lumino/signaling';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { topVerdictOf } from '../../../../src/advice/cells/top-verdict';
import { ADVICE_TOPICS } from '../../../../src/advice/shown';
import { setNumberLocale } from '../../../../src/base/format';
import { advice } from '../../../../src/plots/diagnosis/advice';
import type { Feed, FeedState, FeedStatus } from '../../../../src/feed/feed';
import type { Run } from '../../../../src/run/run';
import { selectionOf } from '../../../../src/run/selection/selection';
import { createTableView, createView } from '../../../../src/views';
import { CellLine, unlistedCauses } from '../../../../src/views/advice/cell-line';
import type { View, ViewHost } from '../../../../src/views/view';
import { completed, EPOCH, made, tasks } from '../../advice/made';
import { context, step, theme } from '../../plots/cluster';
import { tasksBody } from '../../run/synthetic';
import { translate } from '../../translate';

let views: View[] = [];
let opened: string[] = [];
let hidden: ReadonlySet<string> = new Set();

/** Four threads with tasks of 5 ms with 20 ms between them. */
const slow = (): Run =>
  made({
    functions: ['inc'],
    rows: [0, 1, 2, 3].flatMap(lane => tasks(lane, 400, 0.005, 0, 0.02)),
    now: 10
  });
/** Four threads that compute all the time. */
const healthy = (): Run => made({ rows: [0, 1, 2, 3].flatMap(lane => tasks(lane, 20, 0.5)), now: 10 });

function feedWith(state: Partial<FeedState>): Feed {
  return { state, stateChanged: new Signal<object, FeedState>({}) } as unknown as Feed;
}

async function show(run: Run, create: typeof createView = createView, feed: ViewHost['feed'] = null): Promise<View> {
  const host: ViewHost = {
    run,
    feed,
    trans: context().trans,
    get context() {
      return { ...context(), hidden };
    },
    saved: {},
    save: () => undefined,
    hide: ids => {
      hidden = new Set(ids);
    },
    open: plot => opened.push(plot)
  };
  const view = await create(advice, host);
  document.body.append(view.node);
  views.push(view);
  view.setTheme(theme());
  view.setVisible(true);
  view.resize(800, 400);
  draw(view);
  return view;
}

function draw(view: View, after = 1500): void {
  view.update();
  vi.advanceTimersByTime(after);
}

const text = (view: View, selector: string): string => view.node.querySelector(selector)?.textContent ?? '';
const causes = (view: View): (string | undefined)[] =>
  [...view.node.querySelectorAll<HTMLElement>('.dp-Advice-verdict')].map(({ dataset }) => dataset.cause);
const button = (view: View, action: string): HTMLButtonElement =>
  view.node.querySelector(`.dp-Advice-verdict [data-action="${action}"]`)!;

/** Two cells: tasks of the first use all threads, those of the second one of four. */
const twoCells = (): Run =>
  completed(
    made({
      rows: [...[0, 1, 2, 3].flatMap(lane => tasks(lane, 6, 1)), ...tasks(1, 6, 0.5, 8, 0, 1)],
      computations: [
        { since: 0, last: 0, start: 0, stop: 6, tasks: 24, cell: 3 },
        { since: 8, last: 8, start: 8, stop: 11, tasks: 6, cell: 4 }
      ],
      now: 11
    })
  );

/** More tasks in every thread after the others. */
function more(run: Run, first: number): void {
  const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 100, 0.005, 10, 0.02)).map(row => ({ ...row, start: row.start + EPOCH }));
  const topics = { tasks: tasksBody(rows, first) };
  run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: EPOCH + 14, cursor: {}, names: {}, topics }, 0);
}

beforeEach(() => {
  setNumberLocale('en');
  vi.useFakeTimers();
  [views, opened, hidden] = [[], [], new Set()];
});

afterEach(() => {
  for (const view of views) {
    view.dispose();
    view.node.remove();
  }
  vi.useRealTimers();
});

describe('advice', () => {
  it('says what card and sidebar say of the newest cell, above a list about all the newest work', async () => {
    const run = twoCells();
    const live = feedWith({ status: 'live' });
    const view = await show(run, createView, live);
    const line = view.node.querySelector<HTMLElement>('.dp-Advice-cell')!;
    expect(line.hidden).toBe(false);
    expect(line.textContent).toMatch(/^▲ \[4\], 3\.00 s: .+ Show me Only this cell$/);
    expect(text(view, '.dp-Advice-period')).toBe('newest work: 0:00.0 – 0:11.0');
    line.querySelector<HTMLElement>('[data-action="only"]')!.click();
    expect(selectionOf(run).current.period).toEqual({ from: EPOCH + 8, to: EPOCH + 11 });
    draw(view);
    expect(text(view, '.dp-Advice-period')).toBe('selected: 0:08.0 – 0:11.0');
    expect(line.hidden).toBe(true);
    selectionOf(run).clear();
    draw(view);
    line.querySelector<HTMLElement>('[data-action="show-cell"]')!.click();
    draw(view);
    expect(text(view, '.dp-Advice-period'), 'the evidence is selected, not this time').toMatch(/^this work: 0:08\.0 – 0:11\.0/);
    expect(opened).not.toEqual([]);
    // A recording is treated as a whole, as in its report.
    const recorded = await show(twoCells());
    expect(recorded.node.querySelector<HTMLElement>('.dp-Advice-cell')?.hidden).toBe(true);
  });

  it('does not say that there is no cause above one of the newest cell, which is little of all the newest work', async () => {
    const run = completed(
      made({
        rows: [...[0, 1, 2, 3].flatMap(lane => tasks(lane, 30, 1)), ...tasks(1, 6, 0.5, 30.5, 0, 1)],
        computations: [
          { since: 0, last: 0, start: 0, stop: 30, tasks: 120, cell: 3 },
          { since: 30.5, last: 30.5, start: 30.5, stop: 33.5, tasks: 6, cell: 4 }
        ],
        now: 33.5
      })
    );
    const live = await show(run, createView, feedWith({ status: 'live' }));
    expect(causes(live)).toEqual([]);
    expect(text(live, '.dp-Advice-cell')).toMatch(/^▲ \[4\], 3\.00 s: Too few tasks can run at once/);
    expect(text(live, '.dp-Advice-saving')).toMatch(
      /^In all of the newest work \(33\.5 s × 4 threads\), no cause was found but that of one cell, below\. \d+ % computing, \d+ % not explained\.$/
    );
    expect(text(live, '.dp-Advice-absent')).not.toContain('Too few tasks');
    const recorded = await show(run);
    expect(text(recorded, '.dp-Advice-saving')).toMatch(/^Nothing wrong found: /);
    expect(text(recorded, '.dp-Advice-absent')).toContain('Too few tasks');
  });

  it('says above the list what else was found of the newest cell, as marks do, and not that it was not found', () => {
    const found = topVerdictOf(twoCells(), hidden, translate);
    const also = { ...found.advice.verdicts[0], cause: 'gil', title: 'The GIL', cost: { seconds: 2, share: 0.16 } } as const;
    const more = { ...found, advice: { ...found.advice, verdicts: [...found.advice.verdicts, also] } };
    const nothing = { ...found.advice, verdicts: [] };
    expect(unlistedCauses(more, nothing, hidden)).toEqual([also]);
    expect(unlistedCauses(more, more.advice, hidden), 'in the list').toEqual([]);
    expect(unlistedCauses(more, nothing, new Set(['gil'])), 'not helpful').toEqual([]);
    expect(unlistedCauses({ ...more, asked: null }, nothing, hidden), 'of the same time').toEqual([]);
    const line = new CellLine(translate, { show: () => undefined, narrow: () => undefined });
    line.write(more, [also]);
    expect(line.node.textContent).toMatch(/^▲ \[4\], 3\.00 s: .+ Also in this time: The GIL \(16 %\)\. Show me Only this cell$/);
  });

  it('shows the cause with its cost, the sentence, the figures, the remedy and the link', async () => {
    const view = await show(slow());
    expect(causes(view)).toEqual(['small-tasks']);
    expect(text(view, '.dp-Advice-saving')).toBe('This cause costs 80 % of 9.98 s × 4 threads');
    expect(text(view, '.dp-Advice-shares')).toBe('20 % computing · 0 % not explained');
    expect(text(view, '.dp-Advice-period')).toMatch(/^newest work: 0:00\.0 – 0:/);
    expect(text(view, '.dp-Advice-cost')).toBe('80 %31.9 s');
    expect(text(view, '.dp-Advice-sentence')).toMatch(/^Tasks are too small: 1,600 took 5/);
    expect(text(view, '.dp-Advice-figures')).toContain('Tasks 1,600');
    expect(text(view, '.dp-Advice-remedy')).toMatch(/^Give each task more to do/);
    const link = view.node.querySelector<HTMLAnchorElement>('.dp-Advice-links a')!;
    expect([new URL(link.href).host, link.rel]).toEqual(['docs.dask.org', 'noopener noreferrer']);
    // Folded, below what could not be checked.
    const absent = view.node.querySelector<HTMLDetailsElement>('.dp-Advice-absent')!;
    expect(absent.querySelector('summary')?.textContent).toMatch(/^Checked and not found: \d+ causes$/);
    expect([absent.open, absent.querySelectorAll('li').length > 1, absent.nextElementSibling]).toEqual([false, true, null]);
    expect(view.node.getAttribute('aria-label')).toMatch(/^Tasks are too small/);
  });

  it('says that nothing is wrong with a healthy run', async () => {
    const view = await show(healthy());
    expect(causes(view)).toEqual([]);
    expect(text(view, '.dp-Advice-saving')).toBe('Nothing wrong found: 100 % of thread time computing.');
    expect(view.node.dataset.found).toBe('false');
  });

  it('says as of when that was, once the scheduler does not answer, and once its client has closed', async () => {
    const run = healthy();
    const state: { status: FeedStatus; answered: number } = { status: 'live', answered: 0 };
    const feed = feedWith(state);
    const view = await show(run, createView, feed);
    expect(text(view, '.dp-Advice-period')).toBe('newest work: 0:00.0 – 0:10.0');
    state.status = 'silent';
    (feed.stateChanged as Signal<Feed, FeedState>).emit(feed.state);
    vi.advanceTimersByTime(1500);
    expect(text(view, '.dp-Advice-period')).toMatch(/^newest work: 0:00\.0 – 0:10\.0 · as of \d+:\d\d:\d\d/);
    state.status = 'closed';
    run.end(0);
    draw(view);
    expect(text(view, '.dp-Advice-period')).toBe('newest work: 0:00.0 – 0:10.0 when the client closed');
    expect(advice.summary(run, context())).toMatch(/^Nothing wrong found: .* This was so when the client closed\.$/);
  });

  it('does not say that what has gone wrong will cost time yet, where none was measured', async () => {
    const had = '{"expected": false, "worker": "tcp://gone", "processing-tasks": ["a"]}';
    const events = [{ time: EPOCH + 4, topic: 'all', action: 'remove-worker', text: had }];
    const view = await show(completed(step(healthy(), { time: EPOCH + 10, events })));
    expect(causes(view)).toEqual(['lost-worker']);
    expect(text(view, '.dp-Advice-cost')).toBe('no cost measured');
  });

  it('selects the evidence and opens what proves it, and is still about the same period', async () => {
    const run = slow();
    const view = await show(run);
    const before = text(view, '.dp-Advice-period');
    button(view, 'show').click();
    expect(opened).toEqual(['task-stream']);
    expect(selectionOf(run).current.functions).toEqual(['inc']);
    vi.advanceTimersByTime(1500);
    expect(text(view, '.dp-Advice-period')).toBe(before);
  });

  it('follows the period that is selected elsewhere', async () => {
    const run = slow();
    const view = await show(run);
    selectionOf(run).select({ period: { from: EPOCH + 2, to: EPOCH + 4 } });
    vi.advanceTimersByTime(100);
    expect(text(view, '.dp-Advice-period')).toBe('selected: 0:02.0 – 0:04.0');
    expect(text(view, '.dp-Advice-saving')).toContain('2.00 s × 4 threads');
    selectionOf(run).clear();
    vi.advanceTimersByTime(100);
    expect(text(view, '.dp-Advice-period')).toMatch(/^newest work/);
  });

  it('keeps a button that is pressed while new tasks arrive, so that the click counts', async () => {
    const run = slow();
    const view = await show(run);
    const pressed = button(view, 'hide');
    pressed.dispatchEvent(new MouseEvent('pointerdown', { bubbles: true }));
    more(run, run.tasks.count);
    draw(view);
    expect(button(view, 'hide')).toBe(pressed);
    pressed.dispatchEvent(new MouseEvent('pointerup', { bubbles: true }));
    pressed.click();
    expect([...hidden]).toEqual(['small-tasks']);
    vi.advanceTimersByTime(1500);
    expect(causes(view)).toEqual([]);
  });

  it('hides a cause that is not helpful, says so, and brings it back', async () => {
    const view = await show(slow());
    button(view, 'hide').click();
    expect([...hidden]).toEqual(['small-tasks']);
    draw(view);
    expect(causes(view)).toEqual([]);
    expect(text(view, '.dp-Advice-saving')).toBe('1 cause found, which is hidden.');
    expect(advice.table(slow(), { ...context(), hidden }).rows).toEqual([]);
    const again = view.node.querySelector<HTMLElement>('.dp-Advice-hidden [data-cause="small-tasks"]')!;
    again.focus();
    again.click();
    draw(view);
    // The keyboard goes on in the pane, not at the top of the page.
    expect(view.node.contains(document.activeElement)).toBe(true);
    expect(causes(view)).toEqual(['small-tasks']);
    expect(view.node.querySelector<HTMLElement>('.dp-Advice-hidden')!.hidden).toBe(true);
  });

  it('computes at most once a second, and not at all while hidden', async () => {
    const run = slow();
    const view = await show(run);
    const before = text(view, '.dp-Advice-period');
    more(run, 1600);
    view.update();
    vi.advanceTimersByTime(100);
    more(run, 2000);
    draw(view);
    const later = text(view, '.dp-Advice-period');
    expect(later).not.toBe(before);
    view.setVisible(false);
    run.apply({ feed: 'g', epoch: 0, seq: 0, time: EPOCH + 99, cursor: {}, names: {}, topics: {} }, 0);
    draw(view);
    expect(text(view, '.dp-Advice-period')).toBe(later);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is of another moment of a recording as soon as that is chosen, and once for a slider that is dragged', async () => {
    const run = slow();
    const recorded = feedWith({ status: 'recorded', playing: false });
    const view = await show(run, createView, recorded);
    draw(view, 100);
    const before = text(view, '.dp-Advice-period');
    more(run, 1600);
    for (const moment of [12, 13, 14]) {
      run.clock.stand(EPOCH + moment);
      view.update();
      vi.advanceTimersByTime(50);
      expect(text(view, '.dp-Advice-period')).toBe(before);
    }
    vi.advanceTimersByTime(150);
    expect(text(view, '.dp-Advice-period')).not.toBe(before);
  });

  it('stays at one moment while paused', async () => {
    const run = slow();
    const view = await show(run);
    view.setPaused(true);
    vi.advanceTimersByTime(1500);
    const before = view.node.textContent;
    more(run, 1600);
    draw(view);
    expect(view.node.textContent).toBe(before);
    view.setPaused(false);
    vi.advanceTimersByTime(1500);
    expect(view.node.textContent).not.toBe(before);
  });

  it('keeps the focus when the figures change', async () => {
    const run = slow();
    const view = await show(run);
    button(view, 'show').focus();
    const before = button(view, 'show');
    more(run, 1600);
    draw(view);
    expect(button(view, 'show')).not.toBe(before);
    expect(document.activeElement).toBe(button(view, 'show'));
  });

  it('has a line for each cause in a low pane, which a click unfolds, also while its figures change', async () => {
    const run = slow();
    const view = await show(run);
    expect(view.node.dataset.low).toBe('false');
    view.resize(400, 100);
    const item = (): HTMLElement => view.node.querySelector<HTMLElement>('.dp-Advice-verdict')!;
    const state = (): unknown[] => [
      view.node.dataset.low,
      item().dataset.unfolded,
      button(view, 'unfold').getAttribute('aria-expanded')
    ];
    expect(state()).toEqual(['true', 'false', 'false']);
    expect(button(view, 'unfold').textContent).toMatch(/^80 %Tasks are too small: 1,600 took/);
    const before = item();
    button(view, 'unfold').focus();
    button(view, 'unfold').click();
    expect(state()).toEqual(['true', 'true', 'true']);
    more(run, 1600);
    draw(view);
    expect(item()).not.toBe(before);
    expect(state()).toEqual(['true', 'true', 'true']);
    expect(document.activeElement).toBe(button(view, 'unfold'));
    button(view, 'unfold').click();
    expect(state()).toEqual(['true', 'false', 'false']);
  });

  it('says in a low pane nothing twice of a cause that is unfolded, and the remedy first', () => {
    const sheet = readFileSync('style/advice.css', 'utf8').replace(/\s+/g, ' ');
    const unfolded = '.dp-Advice[data-low="true"] .dp-Advice-verdict[data-unfolded="true"]';
    expect(sheet).toContain(`${unfolded} :is(.dp-Advice-cost > strong, .dp-Advice-what, .dp-Advice-sentence) { display: none; }`);
    expect(sheet).toContain('.dp-Advice[data-low="true"] .dp-Advice-text > .dp-Advice-remedy { order: -1; }');
  });

  it('has one column where it is narrow', async () => {
    const view = await show(slow());
    view.resize(300, 400);
    expect(view.node.dataset.narrow).toBe('true');
  });
});

describe('as a plot', () => {
  it('has the same as a table and as a sentence', async () => {
    const run = slow();
    const [row] = advice.table(run, context()).rows;
    expect(row.id).toBe('small-tasks');
    expect(row.cells.map(({ text: cell }) => cell)).toContain('certain');
    expect(advice.summary(run, context())).toMatch(/^Tasks are too small/);
    const view = await show(run, createTableView);
    expect(view.node.querySelectorAll('.dp-Table-body [role="row"]')).toHaveLength(1);
  });

  it('does not say as a table that a verdict without a cost costs nothing', () => {
    const rows = [0, 1, 2, 3].flatMap(lane => [...tasks(lane, 20, 0.5), ...tasks(lane, 20, 0.5, 20)]);
    const meta = { columns: {}, scalars: { unobserved: [[EPOCH + 10, EPOCH + 20]] } };
    const computations = [{ since: 0, last: 0, start: 0, stop: 30, tasks: 160, done: 160, submissions: 1 }];
    const run = completed(made({ rows, now: 30, computations, topics: { meta } }));
    const [row] = advice.table(run, context()).rows;
    expect(row.cells.slice(0, 3)).toMatchObject([
      { text: 'The scheduler did not answer' },
      ...[0, 1].map(() => ({ text: '–', value: Number.NaN }))
    ]);
  });

  it('is empty before anything has run', () => {
    expect(advice.empty(made({ now: 0 }), context())?.head).toBe('No task has run.');
    expect(advice.empty(slow(), context())).toBeNull();
  });

  it('asks for what the rules need', () => {
    expect(advice.topics).toEqual(ADVICE_TOPICS);
    expect(ADVICE_TOPICS).toEqual(expect.arrayContaining(['tasks', 'workers', 'series', 'running', 'computations']));
  });
});
