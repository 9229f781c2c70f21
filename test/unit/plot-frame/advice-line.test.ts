// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { DisposableDelegate } from '@lumino/disposable';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Cause } from '../../../src/advice/advice';
import { hideCauses } from '../../../src/advice/hidden';
import { ADVICE_TOPICS, adviceOf, askedPeriod } from '../../../src/advice/shown';
import { setNumberLocale } from '../../../src/base/format';
import type { FeedState } from '../../../src/feed/feed';
import type { TopicBody } from '../../../src/feed/frame';
import type { Topic } from '../../../src/feed/schema';
import { AdviceLine, LINE_TOPICS } from '../../../src/plot-frame/advice-line';
import type { Run } from '../../../src/run/run';
import { selectionOf } from '../../../src/run/selection/selection';
import { EPOCH, gathersAt, type Made, made, tasks } from '../advice/made';
import { translate } from '../translate';

const NOTHING: TopicBody = { columns: {}, scalars: {} };

/** A run that has received every topic. */
function complete({ events, ...what }: Made & { readonly events?: TopicBody }): Run {
  const topics = Object.fromEntries(ADVICE_TOPICS.map(topic => [topic, NOTHING]));
  const { tasks: _tasks, workers: _workers, series: _series, running: _running, computations: _computations, ...rest } = topics;
  return made({ ...what, topics: { ...rest, ...(events === undefined ? {} : { events }) } });
}

const slow = (): Run => complete({ functions: ['inc'], rows: [0, 1, 2, 3].flatMap(lane => tasks(lane, 400, 0.005, 0, 0.02)) });
const healthy = (): Run => complete({ rows: [0, 1, 2, 3].flatMap(lane => tasks(lane, 20, 0.5)) });

let subscribed: Topic[] = [];
let opened: string[] = [];
const LIVE: FeedState = { status: 'live', answered: 0, reason: '' };
const feed = {
  isDisposed: false,
  state: LIVE,
  subscribe: (topics: readonly Topic[]) => {
    subscribed = [...topics];
    return new DisposableDelegate(() => {
      subscribed = [];
    });
  }
};

/** A line after some seconds. */
function lineOf(run: Run, brief = false): AdviceLine {
  const line = new AdviceLine(translate, { open: (plot, mode) => opened.push([plot, mode].join(' ').trim()), brief });
  line.about({ run, feed });
  for (const now of [0, 1100, 2200]) {
    line.update(now);
  }
  return line;
}

const button = ({ node }: AdviceLine): HTMLButtonElement => node.querySelector('button')!;

beforeEach(() => {
  setNumberLocale('en');
  // What takes long is computed less often.
  vi.useFakeTimers({ toFake: ['performance'] });
  [subscribed, opened] = [[], []];
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a line of advice', () => {
  it('says what costs most, with a sign and a way to the evidence', () => {
    const run = slow();
    const line = lineOf(run);
    expect(line.node.textContent).toMatch(/^▲Tasks are too small: .*Show me$/);
    button(line).click();
    // In front of what proves it where there is no room for both.
    expect(opened).toEqual(['task-stream', 'advice split-right']);
    expect(selectionOf(run).current.functions).toEqual(['inc']);
  });

  it('keeps its room in the sidebar while it says nothing, so that nothing below it moves', () => {
    const sheet = readFileSync('style/sidebar.css', 'utf8');
    const rules = [...sheet.matchAll(/^([^{}]*\.dp-Sidebar \.dp-AdviceLine(?:\[hidden\])?) \{([^}]*)\}/gm)];
    const hidden = rules.filter(([, selectors]) => selectors.includes('[hidden]')).map(([, , rule]) => rule.trim());
    expect(hidden).toEqual(['display: flex;', 'visibility: hidden;']);
    expect(rules.some(([, , rule]) => rule.includes('min-height: 2.6em;'))).toBe(true);
    expect(sheet).toMatch(/\.dp-Sidebar \.dp-AdviceLine-text \{[^}]*line-clamp: 2;/);
  });

  it('is short where there is little room', () => {
    const { node } = lineOf(slow(), true);
    expect(node.textContent).toBe('▲80 % of 9.98 s · Tasks are too smallShow me');
    expect(node.querySelector<HTMLElement>('.dp-AdviceLine-text')?.title).toBe('80 % of 9.98 s · Tasks are too small');
  });

  it('says that nothing is wrong, without a sign or a button', () => {
    const line = lineOf(healthy());
    expect(line.node.querySelector('.dp-AdviceLine-text')?.textContent).toMatch(
      /^Nothing wrong found: 100 % of thread time computing\. \d+ causes could not be checked\.$/
    );
    expect([button(line), line.node.dataset.tone]).toEqual([null, 'plain']);
  });

  it('says as of when nothing is wrong, or something is, once nobody answers any more', () => {
    const [fine, bad] = [healthy(), slow()];
    const silent = { ...feed, state: { ...LIVE, status: 'silent', silent: 'scheduler' } as const };
    const lines = [lineOf(fine), lineOf(bad), lineOf(bad, true)];
    const said = (more: typeof feed): (string | undefined)[] =>
      lines.map((line, i) => {
        line.about({ run: i === 0 ? fine : bad, feed: more });
        for (const now of [4000, 5100, 6200]) {
          line.update(now);
        }
        return line.node.querySelector('.dp-AdviceLine-text')?.textContent ?? undefined;
      });
    expect(said(silent)).toEqual([
      expect.stringMatching(/^Nothing wrong found: .* This was so at \d+:\d\d:\d\d( [AP]M)?\.$/),
      expect.stringMatching(/^Tasks are too small: .* This was so at \d+:\d\d:\d\d( [AP]M)?\.$/),
      expect.stringMatching(/^80 % of 9\.98 s · Tasks are too small · as of \d+:\d\d:\d\d( [AP]M)?$/)
    ]);
    for (const run of [fine, bad]) {
      run.end(0);
    }
    expect(said({ ...feed, state: { ...LIVE, status: 'closed' } })).toEqual([
      expect.stringMatching(/^Nothing wrong found: .* This was so when the client closed\.$/),
      expect.stringMatching(/^Tasks are too small: .* This was so when the client closed\.$/),
      '80 % of 9.98 s · Tasks are too small when the client closed'
    ]);
  });

  it('says nothing while topics are missing, of short work, and of what the user has hidden', () => {
    expect(lineOf(made({ rows: tasks(0, 400, 0.005, 0, 0.02) })).hasText).toBe(false);
    expect(lineOf(complete({ rows: [0, 1, 2, 3].flatMap(lane => tasks(lane, 20, 0.05)) })).hasText).toBe(false);
    const run = slow();
    hideCauses(run, new Set(['small-tasks']));
    expect(lineOf(run).hasText).toBe(false);
  });

  it('says only how long there was no work where it may come at a pace of its own, and nothing where that is of another client', () => {
    const begins = [0, 1, 2.8, 3.5, 5.6, 6.3, 8.9, 9.8];
    const line = (client: string, hidden: readonly Cause[] = []): string | null | undefined => {
      const stream = complete({
        rows: begins.flatMap(begin => [0, 1, 2, 3].flatMap(lane => tasks(lane, 1, 0.5, begin))),
        now: 10.4,
        computations: begins.map(since => ({ since, last: since, start: since, stop: since + 0.5, tasks: 4, submissions: 1 })),
        clients: begins.map(() => 'Client-a'),
        events: gathersAt(begins.map(begin => begin + 0.51))
      });
      stream.client = client;
      hideCauses(stream, new Set(hidden));
      const { node, hasText } = lineOf(stream);
      return hasText ? `${node.dataset.tone}: ${node.textContent}` : '';
    };
    expect(line('Client-a')).toMatch(
      /^plain: For 6\d % of thread time there was no work: the client takes its time before it submits more, or work comes at a pace of its own\.$/
    );
    expect(line('Client-b')).toBe('');
    expect(line('Client-a', ['client-waits'])).toBe('');
  });

  it('does not wait forever for topics that an older recording or collector does not have', () => {
    const run = made({ rows: [0, 1, 2, 3].flatMap(lane => tasks(lane, 400, 0.005, 0, 0.02)) });
    const line = new AdviceLine(translate, { open: () => undefined });
    line.about({ run, feed: { ...feed, state: { ...LIVE, status: 'recorded' } } });
    for (const now of [0, 1000]) {
      line.update(now);
      expect(line.hasText).toBe(false);
    }
    line.update(2000);
    expect(line.node.textContent).toMatch(/^▲Tasks are too small/);

    const live = new AdviceLine(translate, { open: () => undefined });
    live.about({ run, feed });
    for (let now = 0; now <= 10_000; now += 1000) {
      live.update(now);
      expect(live.hasText).toBe(false);
    }
    live.update(11_000);
    expect(live.hasText).toBe(true);
  });

  it('says nothing that only one computation has found', () => {
    const line = new AdviceLine(translate, { open: () => undefined });
    line.about({ run: slow(), feed });
    line.update(0);
    line.update(900);
    expect(line.hasText).toBe(false);
    line.update(1100);
    expect(line.hasText).toBe(true);
  });

  it('drops the advice about one moment of a recording once another is chosen, and soon shows that of the other', () => {
    const run = slow();
    const recorded = { ...feed, state: { ...LIVE, status: 'recorded' as const } };
    run.clock.stand(EPOCH + 10);
    const line = new AdviceLine(translate, { open: () => undefined });
    line.about({ run, feed: recorded });
    for (const now of [0, 1100, 2200]) {
      line.update(now);
    }
    expect(line.node.textContent).toContain('80 % of the time');
    run.clock.stand(EPOCH + 5);
    line.update(2300);
    expect(line.hasText).toBe(false);
    line.update(3400);
    expect(line.hasText).toBe(true);
    // While it plays, it is written as often as that of a cluster.
    line.about(null);
    line.about({ run, feed: { ...recorded, state: { ...recorded.state, playing: true } } });
    for (const now of [4000, 5100, 6200]) {
      run.clock.stand(EPOCH + now / 1000);
      line.update(now);
    }
    expect(line.hasText).toBe(true);
  });

  it('does not repeat after a rest what it said, before what has run meanwhile has come', () => {
    const run = slow();
    const line = lineOf(run);
    const text = (now: number): string => {
      line.update(now);
      return line.node.textContent ?? '';
    };
    line.rest();
    for (const now of [4000, 5100, 6200]) {
      expect(text(now)).toBe('being examined again');
    }
    expect(subscribed).not.toEqual([]);
    const time = run.clock.latest + 1;
    run.apply({ feed: run.identity.split(' ')[0], epoch: 0, seq: 1, time, cursor: {}, names: {}, topics: {} }, 6300);
    expect(text(7000)).toBe('being examined again');
    expect(text(8100)).toMatch(/^▲Tasks are too small/);
    // Nothing comes from an idle cluster.
    line.rest();
    expect(text(10_000)).toBe('being examined again');
    expect(text(15_000)).toBe('being examined again');
    expect(text(16_100)).toMatch(/^▲Tasks are too small/);
  });

  it('subscribes only while it is updated, and is about one run at a time', () => {
    const line = lineOf(slow());
    expect(subscribed).toEqual(LINE_TOPICS);
    line.rest();
    expect(subscribed).toEqual([]);
    line.about({ run: healthy(), feed });
    expect(line.hasText).toBe(false);
    line.update(9000);
    expect(subscribed).toEqual(LINE_TOPICS);
    line.dispose();
    expect(subscribed).toEqual([]);
  });

  it('does not fetch a very long history for itself', () => {
    const prefixes: TopicBody = {
      columns: { id: Uint32Array.of(0), released: Float64Array.of(300_000) },
      scalars: {}
    };
    const line = lineOf(made({ topics: { prefixes } }));
    expect(subscribed).toEqual([]);
    expect(line.node.textContent).toBe('Open Advice');
    button(line).click();
    expect(opened).toEqual(['advice split-right']);
  });
});

describe('a line about the cells of a notebook', () => {
  /** A cell of ten seconds in which one thread works, and another after it. */
  const cells = (after: Made['rows'] = [], number = 3): Run =>
    complete({
      functions: ['fit', 'inc'],
      rows: [...tasks(0, 20, 0.5), ...after],
      now: 30,
      computations: [
        { since: 0, last: 0, start: 0, stop: 10, submissions: 1, tasks: 20, cell: 2 },
        { since: 10.1, last: 10.1, start: 10.1, stop: 20.1, submissions: 1, tasks: 1600, cell: number }
      ],
      shares: [
        { computation: 0, prefix: 0, tasks: 20, compute: 10 },
        { computation: 1, prefix: 1, tasks: 1600, compute: 8 }
      ]
    });
  const small = [0, 1, 2, 3].flatMap(lane => tasks(lane, 400, 0.005, 10.1, 0.02, 1));
  const busy = [0, 1, 2, 3].flatMap(lane => tasks(lane, 20, 0.5, 10.1, 0, 1));

  it('says the cause of the newest one first, by its own time', () => {
    const run = cells(small);
    expect(lineOf(run, true).node.textContent).toBe('▲80 % of 10.0 s · Tasks are too small · [3] incShow me');
    const line = lineOf(run);
    expect(line.node.textContent).toMatch(/^▲\[3\] inc, 10\.0 s: Tasks are too small: .* 80 % of the time/);
    button(line).click();
    expect(opened).toEqual(['task-stream', 'advice split-right']);
    const asked = askedPeriod(run);
    expect(asked?.from).toBeCloseTo(EPOCH + 10.1, 3);
    expect(asked?.to).toBeCloseTo(EPOCH + 20.1, 3);
    expect(adviceOf(run, asked, translate).verdicts.map(({ cause }) => cause)).toEqual(['small-tasks']);
  });

  it('says which one a cause is of that came earlier', () => {
    const run = cells(busy);
    expect(lineOf(run, true).node.textContent).toMatch(/^▲75 % of 10\.0 s · Too few tasks can run at once · \[2\] fitShow me$/);
    expect(lineOf(run).node.textContent).toMatch(/^▲\[2\] fit, 10\.0 s: Too few tasks can run at once/);
    button(lineOf(run)).click();
    expect(askedPeriod(run)?.to).toBeCloseTo(EPOCH + 10, 3);
  });

  it('is about all work where that is of one cell, and about a whole recording', () => {
    expect(lineOf(cells(small, 2), true).node.textContent).toMatch(/^▲\d+ % of 20\.1 s · .* · \[2\] fitShow me$/);
    const whole = new AdviceLine(translate, { open: () => undefined, whole: true });
    whole.about({ run: cells(small), feed });
    for (const now of [0, 1100, 2200]) {
      whole.update(now);
    }
    expect(whole.node.textContent).toMatch(/^▲(Tasks are too small|Too few tasks)/);
  });

  it('shows the name of a function as text in one line', () => {
    const run = cells(small);
    run.prefixNames[1] = `a\n\u202e<b>${'x'.repeat(500)}\ud800`;
    const { textContent } = lineOf(run, true).node;
    expect(textContent).toMatch(/ · \[3\] a/);
    expect(textContent).not.toMatch(/[\n\u202e]/);
    expect(textContent?.length).toBeLessThan(120);
  });
});
