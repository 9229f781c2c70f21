/** What a page costs while a cluster of the farm works. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CDPSession, Page } from '@playwright/test';
import { ROOT, environment, tool } from '../../scripts/lib/environment.mjs';

export const WATCHED_MS = 15_000;

export interface Watched {
  /** Of one core. */
  readonly share: number;
  readonly fps: number;
  readonly longTasks: number;
}

export async function mainThread(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(metric => metric.name === 'TaskDuration')?.value ?? 0) * 1000;
}

/** Look at the page for a while. */
export async function watch(page: Page, session: CDPSession): Promise<Watched> {
  const before = await mainThread(session);
  const seen = await page.evaluate(async milliseconds => {
    let frames = 0;
    let longTasks = 0;
    const observer = new PerformanceObserver(list => {
      longTasks += list.getEntries().length;
    });
    observer.observe({ entryTypes: ['longtask'] });
    const begin = performance.now();
    await new Promise<void>(resolve => {
      const count = (): void => {
        frames += 1;
        if (performance.now() - begin < milliseconds) {
          requestAnimationFrame(count);
        } else {
          resolve();
        }
      };
      requestAnimationFrame(count);
    });
    observer.disconnect();
    return { frames, longTasks, wall: performance.now() - begin };
  }, WATCHED_MS);
  const spent = (await mainThread(session)) - before;
  return { share: spent / seen.wall, fps: (seen.frames * 1000) / seen.wall, longTasks: seen.longTasks };
}

/**
 * Do something while a cluster works.
 *
 * @param size - numbers of workers and of their threads; default: those of `_live.py`
 */
export async function withCluster(act: (address: string) => Promise<void>, ...size: readonly string[]): Promise<void> {
  const cluster = spawn(tool('python'), [join(ROOT, 'test', 'bench', '_live.py'), ...size], {
    env: environment(),
    stdio: ['pipe', 'pipe', 'inherit']
  });
  const exited = new Promise(resolve => cluster.once('exit', resolve));
  try {
    const address = await new Promise<string>((resolve, reject) => {
      createInterface({ input: cluster.stdout }).once('line', resolve);
      cluster.once('exit', code => reject(new Error(`the cluster ended with ${code}`)));
    });
    await act(address);
  } finally {
    cluster.stdin.end();
    await exited;
  }
}

export async function meter(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return session;
}
