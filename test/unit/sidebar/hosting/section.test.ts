// @vitest-environment jsdom
import { Signal } from '@lumino/signaling';
import { expect, it } from 'vitest';
import type { HostedCluster, HostedClusters } from '../../../../src/clients/hosting/model';
import { parseHostFacts } from '../../../../src/clients/hosting/parse-facts';
import { HostedSection } from '../../../../src/sidebar/hosting/section';
import { translate as trans } from '../../translate';

const ACTIONS = {
  create: () => undefined,
  connectTo: () => undefined,
  show: () => undefined,
  connect: () => undefined,
  scale: () => undefined,
  shutDown: () => undefined,
  explain: () => undefined
};

const MORNING = new Date(2026, 10, 22, 10, 42, 7).getTime() / 1000;

it('says of a cluster without tasks when it was asked last, also if nothing else is new', () => {
  const facts = parseHostFacts({ state: 'running', name: 'a', workers: 2, asked: 2, threads: 4, class: 'LocalCluster' });
  const list: HostedCluster[] = [];
  const hosted = { list, visible: false } as unknown as HostedClusters;
  const changed = new Signal<HostedClusters, void>(hosted);
  Object.assign(hosted, { changed });
  const section = new HostedSection(hosted, trans, ACTIONS);
  document.body.append(section.node);
  const answer = (tasks: number, asOf: number): string => {
    list[0] = { id: 's', path: 'p', name: 'a', state: 'running', facts: facts && { ...facts, tasks }, asOf } as HostedCluster;
    changed.emit();
    return section.node.querySelector('.dp-Row')?.textContent ?? '';
  };
  expect(answer(0, MORNING)).toContain('no tasks at 10:42:07');
  section.node.querySelector<HTMLElement>('[data-action="scale"]')?.focus();
  expect(answer(0, MORNING + 30)).toContain('no tasks at 10:42:37');
  expect((document.activeElement as HTMLElement).dataset.action).toBe('scale');
  // Of one that has tasks no time is said: its card is not drawn again.
  expect(answer(3, MORNING + 60)).toContain('3 tasks');
  const card = section.node.querySelector('.dp-Row');
  answer(3, MORNING + 90);
  expect(section.node.querySelector('.dp-Row')).toBe(card);
  section.dispose();
  section.node.remove();
});
