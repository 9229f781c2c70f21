// Asked of a real HTTP server, which records what it is asked.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServerConnection } from '@jupyterlab/services';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { askServer } from '../../../../src/feed/kernel/ask-server';

let server: Server;
let settings: ServerConnection.ISettings;
/** Paths that the server was asked for. */
let asked: string[];
/** Its status; 0 for no answer at all. */
let status: number;

beforeEach(async () => {
  [asked, status] = [[], 200];
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (status > 0) {
      response.writeHead(status).end('{}');
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  settings = ServerConnection.makeSettings({ baseUrl: `http://127.0.0.1:${port}/hub/user/me/` });
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it('asks below the path of the server, in a way that does not count as activity', async () => {
  expect(await askServer(settings, 10_000)).toBe(true);
  expect(asked).toHaveLength(1);
  const url = new URL(asked[0], settings.baseUrl);
  expect(url.pathname).toBe('/hub/user/me/api');
  // Otherwise a page that is open would keep a server from being culled.
  expect(url.searchParams.get('no_track_activity')).toBe('1');
});

it('takes a refusal for an answer, but not what a proxy says in place of a server', async () => {
  for (const [code, answers] of [
    [403, true],
    [500, true],
    [424, false],
    [502, false],
    [503, false],
    [504, false]
  ] as const) {
    status = code;
    expect(await askServer(settings, 10_000), `${code}`).toBe(answers);
  }
});

it('gives up on a server that accepts the connection and does not answer, and on one that is gone', async () => {
  status = 0;
  expect(await askServer(settings, 100)).toBe(false);
  server.closeAllConnections();
  await new Promise<void>(resolve => server.close(() => resolve()));
  expect(await askServer(settings, 10_000)).toBe(false);
});
