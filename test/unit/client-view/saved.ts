/** The JSON of a displayed client as the kernel writes it, with some fields replaced. */
export function saved(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    version: 1,
    kind: 'client',
    time: 1_795_244_385.5,
    versions: { dask_panes: '0.1.0', distributed: '2026.8.0', python: '3.11.7' },
    key: 'Client-1',
    variable: 'client',
    cluster: 'LocalCluster',
    address: 'tcp://127.0.0.1:38215',
    scheduler: 'Scheduler-1',
    dashboard: 'http://127.0.0.1:8787/status',
    dashboardReason: '',
    status: 'running',
    workers: 8,
    threads: 32,
    memoryLimit: 34_359_738_368,
    created: 1_795_244_380,
    limited: '',
    ...fields
  };
}
