// The parts of a channel by themselves: its state, and its requests.
import type { Kernel } from '@jupyterlab/services';
import { describe, expect, it, vi } from 'vitest';
import { ClientFeed } from '../../../../src/feed/client-feed';
import { Refusal } from '../../../../src/feed/kernel/ask-kernel';
import { ChannelStatus } from '../../../../src/feed/kernel/channel/channel-status';
import { KernelRequests } from '../../../../src/feed/kernel/channel/requests';

describe('the state of a channel', () => {
  const stand = () => {
    const changes: boolean[] = [];
    const status = new ChannelStatus(another => changes.push(another));
    return { status, news: () => [status.state, status.loss, status.reason, changes.splice(0)] };
  };

  it('is reported when it changes, and only then', () => {
    const { status, news } = stand();
    status.set('asking');
    expect(news()).toEqual(['asking', null, '', []]);
    status.set('ready');
    status.set('ready');
    expect(news()).toEqual(['ready', null, '', [true]]);
    status.fail('broken');
    expect(news()).toEqual(['failed', null, 'broken', [true]]);
    status.fail('otherwise');
    expect(news()).toEqual(['failed', null, 'otherwise', [false]]);
    status.set('ready');
    expect(news()).toEqual(['ready', null, '', [true]]);
  });

  it('follows the link: why it is lost, and who is silent', () => {
    const { status, news } = stand();
    status.judge('kernel-silent', true);
    expect(news()).toEqual(['asking', null, '', []]);
    status.judge('retrying', false);
    expect(news()).toEqual(['disconnected', 'retrying', '', [true]]);
    status.judge('retrying', false);
    status.judge('good', false);
    expect(news()).toEqual(['disconnected', 'retrying', '', []]);
    status.judge('gave-up', false);
    expect(news()).toEqual(['disconnected', 'gave-up', '', [false]]);
    status.judge('kernel-silent', false);
    expect(news()).toEqual(['asking', null, '', [true]]);
    status.set('ready');
    status.judge('kernel-silent', true);
    expect(news()).toEqual(['silent', null, '', [true, true]]);
    status.set('dead');
    status.judge('gave-up', true);
    expect(news()).toEqual(['dead', null, '', [true]]);
  });
});

describe('requests to a kernel', () => {
  const stand = () => {
    const futures: { onReply(message: unknown): void; dispose(): void; disposed: boolean }[] = [];
    const kernel = {
      isDisposed: false,
      connectionStatus: 'connected',
      requestDebug: () => {
        const future = {
          done: new Promise(() => undefined),
          disposed: false,
          onReply: () => undefined,
          dispose: () => {
            future.disposed = true;
          }
        };
        futures.push(future);
        return future;
      }
    };
    const answered = vi.fn();
    return { futures, kernel, answered, requests: new KernelRequests(kernel as unknown as Kernel.IKernelConnection, answered) };
  };
  const reply = (success: boolean, body: unknown): unknown => ({ content: { success, body } });

  it('get the body of their answer, after it was reported', async () => {
    const { futures, answered, requests } = stand();
    const asked = requests.ask('key', {}, 1000);
    futures[0].onReply(reply(true, { value: 1 }));
    expect(await asked).toEqual({ value: 1 });
    expect([answered.mock.calls.length, futures[0].disposed]).toEqual([1, true]);
    const refused = requests.ask('key', {}, 1000);
    futures[1].onReply(reply(false, { message: 'no' }));
    await expect(refused).rejects.toBeInstanceOf(Refusal);
    expect(answered).toHaveBeenCalledTimes(2);
  });

  it('fail at once where there is no connection, with the reason', async () => {
    const { kernel, requests, futures } = stand();
    const closed = 'The connection to the kernel is closed.';
    kernel.connectionStatus = 'connecting';
    await expect(requests.ask('key', {}, 1000)).rejects.toThrow('The connection to the Jupyter server is lost.');
    requests.notify('ack', {});
    kernel.connectionStatus = 'connected';
    kernel.isDisposed = true;
    await expect(requests.ask('key', {}, 1000)).rejects.toThrow(closed);
    expect(requests.connected).toBe(false);
    kernel.isDisposed = false;
    requests.kernel = null;
    await expect(requests.ask('key', {}, 1000)).rejects.toThrow(closed);
    requests.notify('ack', {});
    requests.kernel = kernel as unknown as Kernel.IKernelConnection;
    requests.dispose();
    await expect(requests.ask('key', {}, 1000)).rejects.toThrow(closed);
    expect([futures.length, requests.isDisposed]).toEqual([0, true]);
  });

  it('have all failed after they were dropped, without an answer', async () => {
    const { requests, answered, futures } = stand();
    const asked = [requests.ask('a', {}, 1000), requests.ask('b', {}, 1000)];
    requests.drop();
    for (const each of asked) {
      await expect(each).rejects.toThrow('The kernel was restarted or closed.');
    }
    futures[0].onReply(reply(true, {}));
    expect([answered.mock.calls.length, futures.every(({ disposed }) => disposed)]).toEqual([0, true]);
  });

  it('are sent without waiting, and leave nothing behind', () => {
    const { requests, futures } = stand();
    requests.notify('ack', {});
    expect(futures.map(({ disposed }) => disposed)).toEqual([true]);
  });
});

it('a feed is watched while anybody subscribes to it', () => {
  const feed = new ClientFeed(
    'c',
    { want: () => undefined, acknowledge: () => undefined, requestClient: () => Promise.resolve(null) },
    () => undefined
  );
  expect(feed.watched).toBe(false);
  const [first, second] = [feed.subscribe(['meta']), feed.subscribe(['meta', 'tasks'])];
  expect(feed.watched).toBe(true);
  first.dispose();
  expect(feed.watched).toBe(true);
  second.dispose();
  expect(feed.watched).toBe(false);
});
