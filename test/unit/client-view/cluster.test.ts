import { expect, test } from 'vitest';
import type { ClientFacts } from '../../../src/client-view/cell/facts';
import { CardCluster } from '../../../src/client-view/cluster';
import type { Clients } from '../../../src/clients/model';
import { translate } from '../translate';

interface Asked {
  readonly path: string;
  readonly answer: () => void;
}

const FACTS = { handle: 'h1', info: { cluster: 'LocalCluster', scaling: '' } } as unknown as ClientFacts;

test('asks each kernel once, and takes no answer of an earlier one', async () => {
  const asked: Asked[] = [];
  const kernel = (path: string): object => ({
    path,
    state: 'ready',
    act: () =>
      new Promise<void>(answer => {
        asked.push({ path, answer });
      })
  });
  const clients = { kernels: [kernel('a'), kernel('b')] } as unknown as Clients;
  let changes = 0;
  const cluster = new CardCluster(clients, translate, () => {
    changes += 1;
  });
  const settle = (): Promise<void> => new Promise(resolve => setTimeout(resolve));
  expect([cluster.find(FACTS, null, 'a'), cluster.find(FACTS, null, 'a'), cluster.find(FACTS, null, 'b')]).toEqual([
    null,
    null,
    null
  ]);
  expect(asked.map(({ path }) => path)).toEqual(['a', 'b']);
  asked[1].answer();
  await settle();
  expect(cluster.find(FACTS, null, 'b')).toMatchObject({ name: 'LocalCluster', refusal: '' });
  asked[0].answer();
  await settle();
  expect([cluster.known, changes]).toEqual([true, 1]);
  expect(cluster.find(FACTS, null, 'b')).not.toBeNull();
  expect(cluster.find(FACTS, null, 'gone')).toBeNull();
  expect(cluster.known).toBe(false);
});
