import { expect, test } from 'vitest';
import type { ClientFacts } from '../../../src/client-view/cell/facts';
import { CardCluster } from '../../../src/client-view/cluster';
import type { Clients } from '../../../src/clients/model';
import { Refusal } from '../../../src/feed/kernel/ask-kernel';
import type { ClientInfo } from '../../../src/feed/kernel/kernel-channel';
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

test('asks the kernel of the document where the client of a cluster knows only its address', async () => {
  const asked: string[] = [];
  const kernel = (path: string, has: boolean): object => ({
    path,
    state: 'ready',
    act: () => {
      asked.push(path);
      return has
        ? Promise.resolve({})
        : Promise.reject(new Refusal({ message: 'This kernel does not have the cluster any more.' }));
    }
  });
  const clients = { kernels: [kernel('a', true), kernel('b', false)] } as unknown as Clients;
  const cluster = new CardCluster(clients, translate, () => undefined);
  const settle = (): Promise<void> => new Promise(resolve => setTimeout(resolve));
  const guest = (scaling: string): { path: string; info: ClientInfo } => ({
    path: 'b',
    info: { key: 'guest', status: 'running', cluster: 'Scheduler', scaling } as unknown as ClientInfo
  });
  const refused = guest('This kernel has no cluster object, only an address.');
  // Nothing is said before the kernel has answered.
  expect(cluster.find(FACTS, refused, 'a')).toBeNull();
  await settle();
  expect(cluster.find(FACTS, refused, 'a')).toMatchObject({ target: { handle: 'h1' }, name: 'LocalCluster', refusal: '' });
  expect([asked, cluster.known]).toEqual([['a'], true]);
  cluster.find(FACTS, refused, 'b');
  await settle();
  expect(cluster.find(FACTS, refused, 'b')).toMatchObject({ target: { client: 'guest' }, refusal: refused.info.scaling });
  // A client of the cluster itself is asked nothing.
  expect(cluster.find(FACTS, guest(''), 'a')).toMatchObject({ target: { client: 'guest' }, refusal: '' });
  expect(asked).toEqual(['a', 'b']);
});

test('a kernel that did not answer is asked again, and one that refused is not', async () => {
  const answers: (Error | object)[] = [new Error('The kernel has not answered for 30 s.'), {}];
  let asked = 0;
  const act = (): Promise<unknown> => {
    asked += 1;
    const answer = answers.shift() ?? new Refusal({ message: 'This kernel does not have the cluster any more.' });
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const clients = { kernels: ['a', 'b'].map(path => ({ path, state: 'ready', act })) } as unknown as Clients;
  const cluster = new CardCluster(clients, translate, () => undefined);
  const settle = (): Promise<void> => new Promise(resolve => setTimeout(resolve));
  cluster.find(FACTS, null, 'a');
  await settle();
  // Whether it has the cluster is not known yet.
  expect([cluster.find(FACTS, null, 'a'), asked]).toEqual([null, 2]);
  await settle();
  expect([cluster.find(FACTS, null, 'a')?.target, cluster.known, asked]).toEqual([{ handle: 'h1' }, true, 2]);
  for (let i = 0; i < 3; i += 1) {
    cluster.find(FACTS, null, 'b');
    await settle();
  }
  expect([cluster.known, asked]).toEqual([false, 3]);
});
