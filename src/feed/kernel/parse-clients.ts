import { type ClientInfo, RECORDING_KEY } from './kernel-channel';

const STATUSES: readonly ClientInfo['status'][] = ['running', 'connecting', 'closed'];

/** Longest text kept from a kernel's report of a client. */
const TEXT_LIMIT = 1000;

function text(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, TEXT_LIMIT) : '';
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;
}

function parse(value: unknown): ClientInfo | null {
  if (typeof value !== 'object' || value === null) {
    return null;
  }
  const map = value as Record<string, unknown>;
  const key = text(map.key);
  if (key === '' || key.startsWith(RECORDING_KEY)) {
    return null;
  }
  return {
    key,
    ...(map.kind === 'local' ? { kind: 'local' as const } : {}),
    variable: text(map.variable),
    cluster: text(map.cluster),
    address: text(map.address),
    ...(typeof map.scheduler === 'string' ? { scheduler: text(map.scheduler) } : {}),
    dashboard: text(map.dashboard),
    dashboardReason: text(map.dashboardReason),
    status: STATUSES.find(status => status === map.status) ?? 'running',
    workers: count(map.workers),
    threads: count(map.threads),
    memoryLimit: count(map.memoryLimit),
    created: count(map.created),
    ...(typeof map.closedAt === 'number' ? { closedAt: map.closedAt } : {}),
    ...(text(map.notice) === '' ? {} : { notice: text(map.notice) }),
    limited: text(map.limited),
    ...(typeof map.scaling === 'string' ? { scaling: text(map.scaling) } : {}),
    ...(typeof map.actions === 'string' ? { actions: text(map.actions) } : {})
  };
}

/** The list of clients in a kernel's reply; malformed entries are dropped. */
export function parseClients(value: unknown): readonly ClientInfo[] {
  return (Array.isArray(value) ? value : []).map(parse).filter(info => info !== null);
}
