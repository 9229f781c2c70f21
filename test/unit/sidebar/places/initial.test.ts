// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { StartCancelled, StartFailure } from '../../../../src/clients/hosting/model';
import { type InitialOptions, type InitialServer, startInitial } from '../../../../src/sidebar/places/initial';
import type { InitialCluster } from '../../../../src/feed/kernel/kernel-channel';
import { translate as trans } from '../../translate';

describe('initial clusters', () => {
  let running: string[];
  let server: InitialServer;
  let initial: readonly InitialCluster[];
  let started: string;
  const start = vi.fn<InitialOptions['hosted']['start']>();
  const warn = vi.fn<(message: string) => void>();

  beforeEach(() => {
    localStorage.clear();
    [running, initial, started] = [[], [{ name: 'big', preset: 'batch', workers: 4 }, { name: '' }], '10:42'];
    server = {
      url: 'http://a/',
      started: () => Promise.resolve(started),
      refresh: () => Promise.resolve(),
      configured: vi.fn(() => Promise.resolve(initial))
    };
    warn.mockReset();
    start.mockReset().mockImplementation(({ name }) => {
      running.push(name);
      return Promise.resolve({} as never);
    });
  });

  const open = (spec: string | null = 'python3'): Promise<void> => {
    const hosted = { start, list: running.map(name => ({ name })) as never };
    Object.defineProperty(hosted, 'list', { get: () => running.map(name => ({ name })) });
    return startInitial({ server, hosted, spec, trans, warn });
  };

  it('start once for each run of the server, and those that were shut down stay so', async () => {
    await open();
    expect(start.mock.calls).toEqual([
      [
        { name: 'big', preset: 'batch', workers: 4 },
        { spec: 'python3', folder: '' }
      ],
      [{ name: 'cluster' }, { spec: 'python3', folder: '' }]
    ]);
    running = [];
    await open();
    expect(start).toHaveBeenCalledTimes(2);
    // Nor is a kernel started to read the configuration again.
    expect(server.configured).toHaveBeenCalledTimes(1);
    started = '11:00';
    await open();
    expect(start).toHaveBeenCalledTimes(4);
  });

  it('are not started where they run, or where no kernel can host them', async () => {
    running = ['big'];
    initial = [{ name: 'big' }];
    await open();
    await open(null);
    expect(start).not.toHaveBeenCalled();
  });

  it('continue after one that was given up or failed, and report a failure with a message', async () => {
    start.mockRejectedValueOnce(new StartCancelled('given up'));
    await open();
    expect(running).toEqual(['cluster']);
    expect(warn).not.toHaveBeenCalled();
    [started, running] = ['later', []];
    start.mockRejectedValueOnce(new StartFailure('refused', '', 'no quota'));
    await open();
    expect(warn.mock.calls).toEqual([
      ['The cluster big of labextension.initial could not be started: The server could not start a kernel: no quota']
    ]);
    expect(running).toEqual(['cluster']);
    [started, running] = ['again', []];
    start.mockRejectedValueOnce(new StartFailure('cluster', 'Traceback:\n  in class\nPermissionError: quota\n'));
    await open();
    expect(warn).toHaveBeenLastCalledWith('The cluster big of labextension.initial could not be started: PermissionError: quota');
    server = { ...server, started: () => Promise.reject(new Error('no server')) };
    await open();
    expect(warn).toHaveBeenLastCalledWith('The clusters of labextension.initial could not be started: no server');
  });
});
