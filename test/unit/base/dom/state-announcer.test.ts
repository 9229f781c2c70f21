// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type SpokenState, StateAnnouncer } from '../../../../src/base/dom/state-announcer';

let begin = 0;

/** What was said in another test is long ago. */
beforeEach(() => {
  begin += 1e7;
  vi.useFakeTimers({ toFake: ['performance'] }).advanceTimersByTime(begin);
});
afterEach(() => void vi.useRealTimers());

/** What a screen reader hears: the texts that come into the region. */
function heard(announcer: StateAnnouncer, states: readonly SpokenState[], every = 250): string[] {
  const texts: string[] = [];
  for (const state of states) {
    const before = announcer.node.textContent;
    announcer.say(state);
    const text = announcer.node.textContent ?? '';
    texts.push(...(text === '' || text === before ? [] : [text]));
    vi.advanceTimersByTime(every);
  }
  return texts;
}

const LIVE = { spoken: 'live', sign: 'disc' };
const IDLE = { spoken: 'idle since 10:31', sign: 'ring' };
const READING = { spoken: 'reading a graph', sign: 'disc', passing: true };
const LOADING = { spoken: 'loading', sign: 'ring', brief: true };
const times = <T>(count: number, ...items: readonly T[]): T[] => Array.from({ length: count }, () => items).flat();

it('says a state once, however long it stays, and leaves no text that may be outdated', () => {
  const announcer = new StateAnnouncer();
  expect(heard(announcer, [...times(100, LIVE), ...times(100, IDLE), LIVE])).toEqual(['live', 'idle since 10:31', 'live']);
  expect(heard(announcer, times(40, LIVE))).toEqual([]);
  expect(announcer.node.textContent).toBe('');
});

it('says more of a state that has become known', () => {
  const closed = (spoken: string): SpokenState => ({ spoken, sign: 'ring' });
  expect(heard(new StateAnnouncer(), [closed('closed'), closed('closed 10:31'), closed('closed 10:31')])).toEqual([
    'closed',
    'closed 10:31'
  ]);
});

it('says nothing of short graphs one after the other, nor of a moment of loading', () => {
  expect(heard(new StateAnnouncer(), [IDLE, READING, READING, ...times(20, LIVE, READING)])).toEqual([
    'idle since 10:31',
    'reading a graph',
    'live'
  ]);
  vi.advanceTimersByTime(1e6);
  expect(heard(new StateAnnouncer(), times(5, LOADING, LOADING, LIVE))).toEqual(['live']);
  vi.advanceTimersByTime(1e6);
  expect(heard(new StateAnnouncer(), [...times(8, LOADING), LIVE])).toEqual(['loading', 'live']);
});

it('says what several panes show in one of them', () => {
  const panes = times(8, null).map(() => new StateAnnouncer());
  const all = (state: SpokenState): string[] => panes.flatMap(pane => heard(pane, [state], 50));
  expect(all(LIVE)).toEqual(['live']);
  expect(all(LIVE)).toEqual([]);
  vi.advanceTimersByTime(10_000);
  expect(all({ spoken: 'closed 10:40', sign: 'ring' })).toEqual(['closed 10:40']);
  expect(all(LIVE)).toEqual(['live']);
});

it('says a state again to which it comes back soon', () => {
  const [playing, paused] = [
    { spoken: 'playing', sign: 'disc' },
    { spoken: 'paused', sign: 'bars' }
  ];
  expect(heard(new StateAnnouncer(), [playing, paused, playing, paused], 800)).toEqual([
    'playing',
    'paused',
    'playing',
    'paused'
  ]);
  vi.advanceTimersByTime(10_000);
  const panes = times(3, null).map(() => new StateAnnouncer());
  const all = (state: SpokenState, order = panes): string[] => order.flatMap(pane => heard(pane, [state], 50));
  expect(all(playing)).toEqual(['playing']);
  expect(all(paused, [...panes].reverse()), 'another pane is the first to change').toEqual(['paused']);
  // The one that said it is not shown any more.
  expect(all(playing, panes.slice(1, 2))).toEqual(['playing']);
});

it('says each of two clients that change together, by its name', () => {
  const of = (name: string, state: SpokenState): SpokenState => ({
    ...state,
    of: { key: name, spoken: `${name}: ${state.spoken}` }
  });
  const panes = ['a', 'a', 'b', 'b'].map(name => ({ name, announcer: new StateAnnouncer() }));
  const all = (state: SpokenState): string[] => panes.flatMap(({ name, announcer }) => heard(announcer, [of(name, state)], 50));
  const silent = { spoken: 'no answer', sign: 'square' };
  expect(all(LIVE), 'that there are two is not known yet').toEqual(['live', 'b: live']);
  expect(all(silent)).toEqual(['a: no answer', 'b: no answer']);
  expect(all(silent)).toEqual([]);
  expect(all(LIVE)).toEqual(['a: live', 'b: live']);
  // The page was hidden: both may still be shown.
  vi.advanceTimersByTime(20_000);
  expect(heard(panes[0].announcer, [of('a', silent)])).toEqual(['a: no answer']);
  // Only one is shown now.
  expect(heard(panes[0].announcer, times(50, of('a', silent)))).toEqual([]);
  expect(heard(panes[0].announcer, [of('a', LIVE)])).toEqual(['live']);
  expect(heard(panes[0].announcer, [{ ...silent, spoken: '' }])).toEqual([]);
});
