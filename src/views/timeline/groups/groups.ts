/** Which workers of a timeline are pinned, and which lanes are drawn as one: plain JSON, kept with the pane. */
import { listOf, mapOf, textOf } from '../../../base/untrusted';
import { parseJson } from '../../../base/untrusted-json';

/** Names kept of each kind: a choice of more by hand is unlikely, and a layout stays small. */
const MOST_NAMES = 1000;
/** Characters of a name. Longer names are not saved. */
const LONGEST_NAME = 1000;

/** All of a kind, or none, except for some. */
interface Collapsed {
  all: boolean;
  but: Set<string>;
}

/**
 * Pinned workers, collapsed workers and collapsed hosts. Workers are known by address and hosts by name, which outlast the
 * numbers of a run.
 *
 * Guarantees:
 * 1. What joins after everything of its kind was collapsed is collapsed, too.
 * 2. What is read is untrusted: anything that is not a name, or is too much, is left out.
 */
export class LaneGroups {
  /**
   * @param saved - text from an earlier call of `save`, or anything else
   * @param save - called with the text to keep; empty for the initial state
   */
  constructor(
    saved: unknown,
    private readonly save: (text: string) => void = () => undefined
  ) {
    const read = mapOf(parseJson(saved));
    this.pins = names(read.pinned);
    this.workers = { all: read.allWorkers === true, but: names(read.workers) };
    this.hosts = { all: read.allHosts === true, but: names(read.hosts) };
  }

  /** Grows with every change. */
  version = 0;

  /** Addresses of the pinned workers, in the order in which they were pinned. */
  get pinned(): ReadonlySet<string> {
    return this.pins;
  }

  isCollapsed(address: string): boolean {
    return this.workers.all !== this.workers.but.has(address);
  }

  isHostCollapsed(host: string): boolean {
    return this.hosts.all !== this.hosts.but.has(host);
  }

  /** Whether anything differs from the initial state. */
  get touched(): boolean {
    const { pins, workers, hosts } = this;
    return pins.size > 0 || [workers, hosts].some(({ all, but }) => all || but.size > 0);
  }

  togglePinned(address: string): void {
    toggle(this.pins, address);
    this.changed();
  }

  toggleWorker(address: string): void {
    toggle(this.workers.but, address);
    this.changed();
  }

  toggleHost(host: string): void {
    toggle(this.hosts.but, host);
    this.changed();
  }

  /** Collapse every worker, every host, or none. */
  collapse(what: 'workers' | 'hosts' | 'none'): void {
    this.workers = { all: what === 'workers', but: new Set() };
    this.hosts = { all: what === 'hosts', but: new Set() };
    this.changed();
  }

  unpin(): void {
    this.pins = new Set();
    this.changed();
  }

  private changed(): void {
    this.version += 1;
    this.save(this.touched ? JSON.stringify(this.state()) : '');
  }

  private state(): Readonly<Record<string, unknown>> {
    const { pins, workers, hosts } = this;
    return {
      pinned: kept(pins),
      allWorkers: workers.all,
      workers: kept(workers.but),
      allHosts: hosts.all,
      hosts: kept(hosts.but)
    };
  }

  private pins: Set<string>;
  private workers: Collapsed;
  private hosts: Collapsed;
}

function toggle(set: Set<string>, name: string): void {
  if (!set.delete(name)) {
    set.add(name);
  }
}

function kept(set: ReadonlySet<string>): readonly string[] {
  return [...set].filter(name => name.length <= LONGEST_NAME).slice(0, MOST_NAMES);
}

function names(value: unknown): Set<string> {
  return new Set(kept(new Set(listOf(value).map(textOf))));
}
