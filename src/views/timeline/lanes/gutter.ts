import { element, setAttribute, setData, setStyle, setText } from '../../../base/element';
import { formatCount, formatPercent } from '../../../base/format';
import type { CssPixels, DevicePixels, Seconds } from '../../../base/units';
import type { Translate } from '../../../plot/plot';
import type { ShownRun } from '../../shown-run';
import { headName, hostName } from '../groups/head-words';
import type { Head, Heads } from '../groups/heads';
import { type HostLanes, threadsOf, type WorkerLanes } from './lanes';
import type { HostRule, Layout, WorkerBlock } from './layout';
import { busyShare, groupWords, type WorkerWords, workerWords } from './lane-words';

/** Minimum height for a name with its state, and for a name alone. */
const TWO_LINES: CssPixels = 24;
const ONE_LINE: CssPixels = 11;

/** Content of the gutter: the window into a layout, and the period for its busy shares. */
export interface GutterScene {
  readonly layout: Layout;
  readonly scroll: DevicePixels;
  readonly height: DevicePixels;
  readonly ratio: number;
  /** Interface font size relative to the default. */
  readonly font: number;
  readonly from: Seconds;
  readonly to: Seconds;
  /** Time in a part of that period that does not count: the folded pauses. */
  readonly paused: (from: Seconds, to: Seconds) => Seconds;
  /** Whether only a short name and a symbol fit. */
  readonly narrow: boolean;
}

/** One label: its element is kept while visible, so that its text can be selected. */
interface Label {
  readonly node: HTMLElement;
  readonly name: HTMLElement;
  readonly facts: HTMLElement;
  /** Text of the tooltip. */
  title: () => string;
  /** What was written last, and of what: to ask the page for what it has takes longer, and there are a hundred labels. */
  written: string;
  of: WorkerLanes | HostLanes | null;
}

/** What is written into a label. */
interface LabelContent {
  readonly head: Head;
  readonly name: string;
  readonly facts: string;
  readonly data: Readonly<Record<string, string>>;
  readonly top: CssPixels;
  /** NaN for what its style says. */
  readonly height: CssPixels;
}

/**
 * Names and states of workers and hosts next to the visible lanes.
 *
 * Guarantees: the busy share of a worker is computed where there is room for it and for the tooltip under the pointer, not
 * for each of hundreds of low workers.
 */
export class Gutter {
  /** @param heads - the element of the names, with pointer and keyboard on them */
  constructor(
    private readonly shown: Pick<ShownRun, 'run'>,
    private readonly trans: Translate,
    private readonly heads: Heads
  ) {
    heads.node.addEventListener('pointerover', ({ target }) => this.point(target));
    heads.node.addEventListener('pointerleave', () => this.point(null));
  }

  update(scene: GutterScene): void {
    const used = new Set<string>();
    const rules = scene.layout.hosts.map(rule => rule.top);
    const line = ONE_LINE * scene.font;
    let free: DevicePixels = scene.scroll - line * scene.ratio;
    for (const block of scene.layout.workers) {
      if (block.top >= scene.scroll + scene.height) {
        break;
      }
      const height = Math.max(block.height, line * scene.ratio);
      // Names of low workers would overlap each other or the next host: a name that does not fit is only in the
      // tooltip.
      const room = block.top >= free && !rules.some(rule => rule > block.top && rule < block.top + height);
      if (room) {
        this.worker(block, scene, used);
        free = block.top + height;
      }
    }
    for (const rule of scene.layout.hosts) {
      const top = (rule.top - scene.scroll) / scene.ratio;
      if (top + rule.height / scene.ratio > 0 && top < scene.height / scene.ratio) {
        this.host(rule, top, scene, used);
      }
    }
    let gone: HTMLElement | null = null;
    for (const [key, label] of this.labels) {
      if (!used.has(key)) {
        // A label that had the focus would leave it to the page.
        gone = document.activeElement === label.node ? label.node : gone;
        label.node.remove();
        this.labels.delete(key);
        this.changed = true;
        this.pointed = this.pointed === label ? null : this.pointed;
      }
    }
    this.heads.settle(gone, this.changed);
    this.changed = false;
    this.writeTitle();
  }

  /** The pointer is on an element, or on none. */
  private point(target: EventTarget | null): void {
    const inside = ({ node }: Label): boolean => target instanceof Node && node.contains(target);
    this.pointed = [...this.labels.values()].find(inside) ?? null;
    this.writeTitle();
  }

  private writeTitle(): void {
    if (this.pointed !== null) {
      setAttribute(this.pointed.node, 'title', this.pointed.title());
    }
  }

  private worker(block: WorkerBlock, scene: GutterScene, used: Set<string>): void {
    const { workers } = block;
    const [worker] = workers;
    const whole = block.host.collapsed === true;
    const name = whole ? headName(workers, this.trans) : worker.name;
    const top = (block.top - scene.scroll) / scene.ratio;
    const height = block.height / scene.ratio;
    const label = this.label(whole ? `g${block.host.host}` : `w${worker.worker}`, 'dp-Timeline-worker', used);
    const two = height >= TWO_LINES * scene.font;
    const words = (period: GutterScene | null): WorkerWords =>
      whole ? groupWords(this.shown.run, workers, scene, this.trans) : workerWords(this.shown.run, worker, period, this.trans);
    const shown = words(two ? scene : null);
    const head: Head = whole ? { host: block.host } : { worker };
    const collapsed = this.heads.isCollapsed(head);
    label.title = () => this.title(`${name} · ${words(scene).text}`, collapsed);
    this.write(label, {
      head,
      name: `${collapsed ? '▸ ' : ''}${scene.narrow ? shortName(name) : name}`,
      facts: scene.narrow ? shown.sign : shown.text,
      data: { tone: shown.tone, lines: two ? '2' : '1' },
      top,
      height: Math.max(height, ONE_LINE * scene.font)
    });
  }

  private host(rule: HostRule, top: CssPixels, scene: GutterScene, used: Set<string>): void {
    const { trans } = this;
    const label = this.label(rule.pinned ? 'pinned' : `h${rule.host}`, 'dp-Timeline-host', used);
    const { all = rule.workers } = rule;
    const share = busyShare(this.shown.run, all, scene);
    const threads = threadsOf(all);
    const facts = [
      trans._n('1 worker', '%2 workers', all.length, formatCount(all.length)),
      trans._n('1 thread', '%2 threads', threads, formatCount(threads)),
      trans.__('%1 busy', formatPercent(share))
    ].join(' · ');
    const name = hostName(rule, trans);
    label.title = () => (rule.pinned ? '' : this.title(`${name} · ${facts}`, rule.collapsed === true));
    this.write(label, {
      head: { host: rule },
      name: rule.pinned ? name : `${rule.collapsed ? '▸' : '▾'} ${name}`,
      facts: `· ${facts}`,
      data: {},
      top,
      height: Number.NaN
    });
  }

  /** Most labels are as they were: of these, nothing is touched. */
  private write(label: Label, { head, name, facts, data, top, height }: LabelContent): void {
    const of = 'host' in head ? head.host : head.worker;
    const print = [this.heads.isCollapsed(head), name, facts, ...Object.values(data), top, height].join('\n');
    if (print === label.written && of === label.of) {
      return;
    }
    label.written = print;
    label.of = of;
    this.changed = true;
    this.heads.set(label.node, head);
    setText(label.name, name);
    setText(label.facts, facts);
    for (const [key, value] of Object.entries(data)) {
      setData(label.node, key, value);
    }
    setStyle(label.node, 'top', `${top}px`);
    if (!Number.isNaN(height)) {
      setStyle(label.node, 'height', `${height}px`);
    }
  }

  private title(name: string, collapsed: boolean): string {
    const act = collapsed ? this.trans.__('Click: a row for each') : this.trans.__('Click: draw as one row');
    const busy = this.trans.__(
      'Per cent: share of the visible time, while the workers were there, in which the threads were busy'
    );
    return `${name}\n${busy}\n${act} · ${this.trans.__('right click: pin and more')}`;
  }

  private label(key: string, className: string, used: Set<string>): Label {
    used.add(key);
    let label = this.labels.get(key);
    if (label === undefined) {
      const name = element('span', { class: 'dp-Timeline-name' });
      const facts = element('span', { class: 'dp-Timeline-facts' });
      const node = element('div', { class: className }, name, facts);
      label = { name, facts, node, title: () => '', written: '', of: null };
      this.labels.set(key, label);
      this.heads.node.append(label.node);
    }
    return label;
  }

  private readonly labels = new Map<string, Label>();
  /** Whether a label was written, or has gone, since the heads were settled. */
  private changed = false;
  /** The label under the pointer. */
  private pointed: Label | null = null;
}

/** The name of a local scheduler without threads or processes of its own, as `bridge/dask_panes/local` gives it. */
const SYNCHRONOUS = 'synchronous';

/** `w3` for `worker-3`, `2 thr` for `2 threads`; a name that neither begins nor ends with a number is unchanged. */
function shortName(name: string): string {
  if (name === SYNCHRONOUS) {
    return name.slice(0, 4);
  }
  const [, initial, number] = /^(\D).*?(\d+)$/.exec(name) ?? [];
  const [counted] = /^\d+ [a-z]{3}/.exec(name) ?? [];
  return number === undefined ? (counted ?? name) : `${initial}${number}`;
}
