import { expect, test } from './harness/test';

const CELLS = [
  'from dask.distributed import Client, LocalCluster\ncluster = LocalCluster(n_workers=4, threads_per_worker=2, memory_limit="400MiB", dashboard_address=":0")\nclient = Client(cluster)\nclient',
  'import dask.array as da\nx = da.random.random((4000, 4000), chunks=(500, 500))\n((x + x.T).mean(axis=0)).compute().shape',
  'import time\ndef slow(i):\n    time.sleep(0.3)\n    return i\ndef boom(i):\n    time.sleep(0.1)\n    if i % 3 == 0:\n        raise ValueError(f"no {i}")\n    return i\nfs = client.map(slow, range(60)) + client.map(boom, range(12))',
  'from dask.distributed import wait\n_ = wait(fs)',
  'import dask\nimport pandas as pd\nimport dask.dataframe as dd\ndf = dd.from_pandas(pd.DataFrame({"a": range(20000), "b": [i % 7 for i in range(20000)]}), npartitions=8)\ndf.groupby("b").a.mean().compute().shape',
  'blob = client.scatter([b"x" * 20_000_000 for _ in range(20)])',
  '@dask.delayed\ndef inc(i):\n    time.sleep(0.02)\n    return i + 1\ndask.compute(*[inc(inc(i)) for i in range(60)])[0]',
  'client.close()\ncluster.close()'
];
const SIZES = [
  [1600, 1000],
  [1280, 800],
  [1067, 667]
] as const;

test('look', async ({ lab }, info) => {
  test.setTimeout(500_000);
  const { page } = lab;
  const shot = async (name: string): Promise<void> => {
    await page.waitForTimeout(900);
    await page.screenshot({ path: info.outputPath(`${name}.png`) });
  };
  const notebook = await lab.openNotebook(CELLS);
  await notebook.run(0);
  await lab.command('dask-panes:layout', { layout: 'status' });
  await shot('00-empty');
  await notebook.run(1);
  await shot('01-array');
  await notebook.run(2);
  await shot('02-running');
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    await shot(`03-${width}-light`);
  }
  await lab.theme('Dark');
  await notebook.run(3);
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    await shot(`04-${width}-dark`);
  }
  await page.setViewportSize({ width: 1600, height: 1000 });
  await notebook.run(4);
  await shot('05-dataframe');
  await lab.sidebar();
  await notebook.run(5);
  await shot('06-scatter');
  await notebook.run(6);
  await lab.theme('Light');
  await shot('07-delayed');
  for (const plot of [
    'memory-by-key',
    'events',
    'costs',
    'task-graph',
    'task-groups',
    'profile',
    'function-time',
    'transfers',
    'workers',
    'cluster-memory',
    'occupancy',
    'cpu-timeseries',
    'aggregate-time-per-action',
    'compute-time-per-key'
  ]) {
    await lab.command('dask-panes:open', { plot }).catch(() => undefined);
    await shot(`08-${plot}`);
  }
  await page.waitForTimeout(12_000);
  await shot('09-idle');
  await notebook.run(1);
  await notebook.reveal(0);
  await shot('10-second');
  await notebook.run(7);
  await page.waitForTimeout(2000);
  await notebook.reveal(0);
  await shot('11-closed');
  await notebook.run(0);
  await notebook.run(1);
  await shot('12-new-client');
  expect(1).toBe(1);
});
