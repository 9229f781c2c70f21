// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest';
import { LIGHT_FRAME, makeTheme } from '../../../src/base/theme';
import { Strip } from '../../../src/client-view/history/strip';
import type { FeedState } from '../../../src/feed/feed';
import { runningBody } from '../run/synthetic';
import { translate as trans } from '../translate';
import { FakeClients, frame, info, meta, tasks, workers } from './fakes';

let strip: Strip | null = null;

afterEach(() => {
  strip?.dispose();
  strip = null;
});

function shown(): { clients: FakeClients; strip: Strip } {
  const clients = new FakeClients([info()]);
  const running = runningBody([{ id: 0, start: 990 }]);
  clients.run.apply(frame(1000, { meta: meta(), workers: workers({}), tasks: tasks(0, [0, 0, 980, 5]), running }), 0);
  strip = new Strip(trans, () => undefined);
  strip.show(clients.acquire('a.ipynb', 'Client-1'));
  return { clients, strip };
}

/** Texts of both ends of the axis, 40 s after a frame with one task that has run for 10 s. */
function ends(state: FeedState): (string | null)[] {
  const { clients, strip } = shown();
  Object.defineProperty(strip.node.querySelector('canvas'), 'clientWidth', { value: 200 });
  clients.feed.state = state;
  strip.update(makeTheme(LIGHT_FRAME), 40_000);
  strip.paint(40_000);
  const texts = [...strip.node.querySelectorAll('.dp-ClientView-axis > span')].map(({ textContent }) => textContent);
  return [texts[0], texts[2]];
}

describe('the strip of busy threads', () => {
  it('ends now while there are answers', () => {
    expect(ends({ status: 'live', answered: 40_000, reason: '' })).toEqual(['1 m 0 s ago', 'now']);
  });

  it.each(['silent', 'disconnected', 'connecting', 'closed'] as const)(
    'ends with the last answer of a feed that is %s',
    status => {
      expect(ends({ status, answered: 5_000, reason: '' })).toEqual(['1 m 0 s ago', '35.0 s ago']);
    }
  );

  it('ends with the end of a run that has ended, however long ago that is', () => {
    const { clients, strip } = shown();
    Object.defineProperty(strip.node.querySelector('canvas'), 'clientWidth', { value: 200 });
    clients.run.clock.end(5_000);
    strip.update(makeTheme(LIGHT_FRAME), 200_000);
    strip.paint(200_000);
    const texts = [...strip.node.querySelectorAll('.dp-ClientView-axis > span')].map(({ textContent }) => textContent);
    expect([texts[0], texts[2]]).toEqual(['25.0 s before the end', 'the end']);
  });

  it('begins with the arrival of the first graph, whose sign would else be before it: its data may take a while to get to a worker', () => {
    const { clients, strip } = shown();
    Object.defineProperty(strip.node.querySelector('canvas'), 'clientWidth', { value: 200 });
    const columns = {
      id: Uint32Array.of(0),
      since: Float64Array.of(975),
      tasks: Uint32Array.of(1),
      submissions: Uint32Array.of(1),
      graph: Float64Array.of(20_000_000)
    };
    clients.run.apply(frame(1000, { computations: { columns, scalars: { texts: [] } } }), 0);
    strip.update(makeTheme(LIGHT_FRAME), 1_000);
    strip.paint(1_000);
    const mark = strip.node.querySelector<HTMLElement>('.dp-EventMark');
    expect([mark?.dataset.kind, mark?.title]).toEqual([
      'graph',
      '0:05.0 before the first task: a graph of 1 task arrived, 19.1 MiB'
    ]);
  });

  it('is not there any more where a scheduler was cleared before a task had ended', () => {
    const { clients, strip } = shown();
    const theme = makeTheme(LIGHT_FRAME);
    strip.update(theme, 1_000);
    expect(strip.node.hidden).toBe(false);
    clients.run.apply({ ...frame(1001, { workers: workers({}) }), epoch: 1 }, 0);
    strip.update(theme, 2_000);
    expect(strip.node.hidden).toBe(true);
  });
});
