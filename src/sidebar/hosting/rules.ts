// Generated from bridge/dask_panes/clusters/rules.json by `npm run schema`. Do not edit.

/** What a user may choose for a hosted cluster: patterns of whole texts, and limits. */
export const RULES = {
  name: '[A-Za-z0-9][A-Za-z0-9._-]{0,63}',
  memory: '[0-9]+([.][0-9]+)? *[KMGTPkmgtp][Ii]?[Bb]',
  dashboard: '((127[.][0-9]{1,3}[.][0-9]{1,3}[.][0-9]{1,3}|localhost)?:)?[0-9]{1,5}',
  mostWorkers: 512,
  mostThreads: 512,
  leastMemory: 134217728
} as const;
