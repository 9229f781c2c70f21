// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { Run } from '../../../src/run/run';
import { liveWords } from '../../../src/sidebar/clients/kernel-words';
import { MiniBars } from '../../../src/sidebar/clients/mini-bars';
import { FakeClients, frame, info, prefixes, workers } from '../client-view/fakes';
import { translate as trans } from '../translate';
import { theme } from '../views/light-theme';

it('shows failed tasks beside those that are done, and dims figures that are not confirmed', () => {
  const bars = new MiniBars(trans);
  const run = new Run();
  run.apply(frame(1, { prefixes: prefixes({ memory: 79, erred: 2 }), workers: workers({ threads: 4 }) }), 0);
  bars.update(run, theme, false);
  expect(bars.node.textContent).toContain('79 / 81 · 2 erred');
  expect(bars.node.classList.contains('dp-mod-outdated')).toBe(false);
  bars.update(run, theme, true);
  expect(bars.node.classList.contains('dp-mod-outdated')).toBe(true);
});

it('says that tasks wait for workers where there are none', () => {
  const clients = new FakeClients([info()]);
  clients.run.apply(frame(1, { prefixes: prefixes({ waiting: 79, erred: 2 }), workers: workers() }), 0);
  const live = clients.acquire('a.ipynb', 'Client-1');
  expect(live && liveWords(live, 0, trans)).toEqual({ sign: 'square', text: 'no workers · 79 tasks wait', tone: 'bad' });
});
