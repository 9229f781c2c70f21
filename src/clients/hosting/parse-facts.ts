import { amountOf, listOf, mapOf, textOf } from '../../base/untrusted';
import type { HostFacts } from './model';

const STATES: readonly string[] = ['empty', 'starting', 'running', 'closing', 'closed', 'failed'] satisfies HostFacts['state'][];

/**
 * Parse a kernel's report of the cluster that it hosts.
 *
 * @param value - JSON of any shape
 * @returns `null` if it is malformed
 */
export function parseHostFacts(value: unknown): HostFacts | null {
  const map = mapOf(value);
  const number = (name: string): number => amountOf(map[name]);
  const text = (name: string): string => textOf(map[name]);
  if (!STATES.includes(text('state'))) {
    return null;
  }
  return {
    state: text('state') as HostFacts['state'],
    name: text('name'),
    error: text('error'),
    client: text('client'),
    workers: number('workers'),
    asked: number('asked'),
    threads: number('threads'),
    memory: number('memory'),
    machine: number('machine'),
    grouped: map.grouped === true,
    tasks: number('tasks'),
    clients: number('clients'),
    adaptive: pair(map.adaptive),
    dashboard: text('dashboard'),
    kind: text('class'),
    fixed: text('fixed'),
    problem: text('problem')
  };
}

function pair(value: unknown): readonly [number, number] | null {
  const [least, greatest] = listOf(value);
  return typeof least === 'number' && typeof greatest === 'number' ? [least, greatest] : null;
}
