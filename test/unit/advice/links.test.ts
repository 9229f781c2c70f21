/**
 * Where Dask's documentation says more: its pages and headings are those of dask 817e5ffc1 and distributed 40fcd99a8 (summer
 * 2026).
 */
import { describe, expect, it } from 'vitest';
import { RULES } from '../../../src/advice/rules';

const DASK = 'https://docs.dask.org/en/stable/';
const DISTRIBUTED = 'https://distributed.dask.org/en/stable/';

/** Headings of pages as their anchors; a page alone has the empty one. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  [`${DASK}best-practices.html`]: [
    'avoid-very-large-partitions',
    'avoid-very-large-graphs',
    'processes-threads-and-vm-sizes',
    'load-data-with-dask',
    'avoid-calling-compute-repeatedly'
  ],
  [`${DASK}array-best-practices.html`]: ['select-a-good-chunk-size', 'orient-your-chunks'],
  [`${DASK}delayed-best-practices.html`]: ['break-up-computations-into-many-pieces', 'avoid-too-many-tasks'],
  [`${DASK}futures.html`]: ['', 'coordination-primitives'],
  [`${DASK}customize-initialization.html`]: [''],
  [`${DISTRIBUTED}efficiency.html`]: ['', 'use-larger-tasks'],
  [`${DISTRIBUTED}worker-memory.html`]: [
    'spilling-based-on-managed-memory',
    'spilling-based-on-process-memory',
    'pause-worker',
    'thresholds-configuration',
    'memory-not-released-back-to-the-os'
  ],
  [`${DISTRIBUTED}memory.html`]: ['clearing-data'],
  ...Object.fromEntries(
    ['killed', 'locality', 'priority', 'resilience', 'resources', 'serialization', 'task-launch', 'work-stealing', 'worker'].map(
      page => [`${DISTRIBUTED}${page}.html`, ['']]
    )
  )
};

describe('links of causes', () => {
  it.each(RULES.map(({ cause, link }) => [cause, link]))('%s leads to a heading that there is', (_cause, link) => {
    const [page, anchor = ''] = link.split('#');
    expect(PAGES[page]).toContain(anchor);
  });
});
