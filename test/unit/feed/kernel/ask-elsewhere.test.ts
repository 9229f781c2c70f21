// Asked of a real HTTP server, which says how many websockets a kernel has, and of a connection that the test makes.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Kernel, ServerConnection } from '@jupyterlab/services';
import { Signal } from '@lumino/signaling';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { answersElsewhere } from '../../../../src/feed/kernel/ask-elsewhere';

const PATIENCE = 5_000;

let server: Server;
let settings: ServerConnection.ISettings;
let asked: URL[];
let model: unknown;

beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://localhost'));
    response.writeHead(200).end(JSON.stringify(model));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  settings = ServerConnection.makeSettings({ baseUrl: `http://127.0.0.1:${port}/hub/` });
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A connection over which nothing arrives by itself; what its clones answer. */
function connection(answer: { readonly success: boolean; readonly body: unknown } | null) {
  const [cloned, open]: [unknown[], unknown[]] = [[], []];
  const source = {};
  const anyMessage = new Signal<object, Kernel.IAnyMessageArgs>(source);
  const clone = (options: unknown): unknown => {
    cloned.push(options);
    const other = {
      requestDebug: (): unknown => {
        const future = { done: Promise.resolve(), onReply: (_: unknown): void => undefined, dispose: () => undefined };
        if (answer !== null) {
          queueMicrotask(() => future.onReply({ content: answer }));
        }
        return future;
      },
      dispose: () => open.splice(open.indexOf(other), 1)
    };
    open.push(other);
    return other;
  };
  const kernel = { id: 'k 1', serverSettings: settings, anyMessage, clone } as unknown as Kernel.IKernelConnection;
  return { kernel, anyMessage, cloned, open };
}

it('asks the kernel over a connection of its own, which takes no comms and is closed again', async () => {
  model = { id: 'k 1', connections: 2 };
  const { kernel, cloned, open } = connection({ success: true, body: {} });
  expect(await answersElsewhere(kernel, PATIENCE)).toBe(true);
  expect([cloned, open]).toEqual([[{ handleComms: false }], []]);
  expect(asked.map(({ pathname, searchParams }) => [pathname, searchParams.get('no_track_activity')])).toEqual([
    ['/hub/api/kernels/k%201', '1']
  ]);
});

it('takes a refusal for an answer, as of a kernel without the bridge', async () => {
  model = { connections: 1 };
  expect(await answersElsewhere(connection({ success: false, body: {} }).kernel, PATIENCE)).toBe(true);
});

it('opens no other connection where the server has dropped this one: it keeps messages for it until then', async () => {
  model = { connections: 0 };
  const { kernel, cloned } = connection({ success: true, body: {} });
  expect(await answersElsewhere(kernel, PATIENCE)).toBe(true);
  expect(cloned).toEqual([]);
});

it('opens none where the server does not say how many there are', async () => {
  model = { message: 'no such kernel' };
  const { kernel, cloned } = connection({ success: true, body: {} });
  expect(await answersElsewhere(kernel, PATIENCE)).toBe(false);
  expect(cloned).toEqual([]);
});

it('a kernel that answers nowhere is not a dead connection', async () => {
  model = { connections: 1 };
  const { kernel, open } = connection(null);
  expect(await answersElsewhere(kernel, 100)).toBe(false);
  expect(open).toEqual([]);
});

it('a connection over which anything arrives meanwhile is not dead', async () => {
  model = { connections: 1 };
  const { kernel, anyMessage } = connection({ success: true, body: {} });
  const found = answersElsewhere(kernel, PATIENCE);
  setTimeout(() => anyMessage.emit({ direction: 'send' } as Kernel.IAnyMessageArgs), 100);
  expect(await found).toBe(true);
  const again = answersElsewhere(kernel, PATIENCE);
  setTimeout(() => anyMessage.emit({ direction: 'recv' } as Kernel.IAnyMessageArgs), 100);
  expect(await again).toBe(false);
});
