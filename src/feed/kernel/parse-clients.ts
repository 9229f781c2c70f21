/** What kernels say of clients, in their answers and in outputs (`src/client-view/cell/facts.ts`); untrusted. */
import { amountOf, boundedText, isAmount, isMap, listOf, mapOf, textOf } from '../../base/untrusted';
import { type BlockEnd, type ClientInfo, RECORDING_KEY } from './kernel-channel';

/** What a client can be. */
export const CLIENT_STATUSES: readonly ClientInfo['status'][] = ['running', 'connecting', 'closed'];

/** Longest text that is kept of a client. */
const LONGEST_TEXT = 1000;
/** Longest link; browsers and proxies agree on about this limit. A longer one is left out: cut, it would lead elsewhere. */
const LONGEST_LINK = 2000;

/**
 * A client, from a map of any content. Fields that are missing or of another type are empty, 0 or absent.
 *
 * @returns `null` if its key would name a recording: neither a kernel nor an output may open a file
 */
export function readClient(map: Readonly<Record<string, unknown>>): ClientInfo | null {
  const text = (name: keyof ClientInfo): string => boundedText(map[name], LONGEST_TEXT);
  const given = (name: keyof ClientInfo): boolean => typeof map[name] === 'string';
  const link = textOf(map.dashboard);
  const info: ClientInfo = {
    key: text('key'),
    ...(map.kind === 'local' ? { kind: 'local' as const } : {}),
    variable: text('variable'),
    cluster: text('cluster'),
    address: text('address'),
    ...(given('scheduler') ? { scheduler: text('scheduler') } : {}),
    dashboard: link.length <= LONGEST_LINK ? link : '',
    dashboardReason: text('dashboardReason'),
    status: CLIENT_STATUSES.find(status => status === map.status) ?? 'running',
    workers: amountOf(map.workers),
    threads: amountOf(map.threads),
    memoryLimit: amountOf(map.memoryLimit),
    created: amountOf(map.created),
    ...(isAmount(map.closedAt) ? { closedAt: map.closedAt } : {}),
    ...(text('notice') === '' ? {} : { notice: text('notice') }),
    ...(isMap(map.ending) ? { ending: readEnding(map.ending) } : {}),
    limited: text('limited'),
    ...(given('scaling') ? { scaling: text('scaling') } : {}),
    ...(given('actions') ? { actions: text('actions') } : {})
  };
  return info.key.startsWith(RECORDING_KEY) ? null : info;
}

function readEnding({ what, doing, share }: Readonly<Record<string, unknown>>): BlockEnd {
  return {
    what: what === 'report' ? 'report' : 'recording',
    doing: doing === 'file' || doing === 'history' ? doing : 'workers',
    share: Math.min(1, amountOf(share))
  };
}

/** The list of clients in a kernel's reply; malformed entries and those without a key are dropped. */
export function parseClients(value: unknown): readonly ClientInfo[] {
  return listOf(value).flatMap(item => {
    const info = readClient(mapOf(item));
    return info === null || info.key === '' ? [] : [info];
  });
}
