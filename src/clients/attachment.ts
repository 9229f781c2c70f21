import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import type { Milliseconds } from '../base/units';
import type { Binding, ClientKind, Clients, KernelEntry, LiveClient, Situation } from './model';
import { isRecording } from './recordings/recordings';
import type { ClientInfo } from '../feed/kernel/kernel-channel';
import type { Topic } from '../feed/schema';
import { FOLLOW, sameBinding } from './binding';

/** A hidden pane that uses our own connection releases it after this long, unless its document is opened before. */
const RELEASE_AFTER: Milliseconds = 10_000;
/** A visible pane of an idle cluster releases it after this long: it would prevent the culling of an idle kernel. */
const REST_AFTER: Milliseconds = 30_000;
/** Interval of the check whether it is idle. */
const REST_LOOK: Milliseconds = 5_000;

/**
 * Connects one pane to the client of its binding: finds and opens it, subscribes to topics while the pane is visible,
 * switches when the binding resolves to another client, and keeps the last run if no other follows.
 */
export class Attachment implements IDisposable {
  constructor(
    private readonly clients: Clients,
    topics: readonly Topic[],
    readonly kind: ClientKind = 'cluster'
  ) {
    this.topics = topics;
    clients.changed.connect(this.update, this);
  }

  /** The live state, also after it has ended. */
  get live(): LiveClient | null {
    return this.held;
  }

  /** The client of the binding, with its facts. */
  get named(): { readonly path: string; readonly info: ClientInfo } | null {
    return this.meant;
  }

  /** The kernel of the binding, if listed. */
  get kernel(): KernelEntry | null {
    const path = this.meant?.path ?? (this.bound.follow ? null : this.bound.path);
    return path === null ? this.clients.active : (this.clients.kernels.find(kernel => kernel.path === path) ?? null);
  }

  get situation(): Situation {
    const { held, meant } = this;
    if (meant === null) {
      const state = this.kernel?.state;
      const early = this.bound.follow ? this.clients.starting : state === 'unlooked' || !this.searched;
      const pending = early || state === 'asking' || state === 'disconnected';
      return pending ? 'waiting' : held ? 'closed' : 'none';
    }
    if (meant.info.status === 'closed') {
      return 'closed';
    }
    const asked = this.kernel?.state === 'asking' || (this.kernel?.state === 'unlooked' && !this.rests);
    if (held?.info.key !== meant.info.key || held.severed || asked) {
      return 'waiting';
    }
    return held.feed.state.status === 'closed' ? 'closed' : 'attached';
  }

  /** Whether the connection was released because the cluster was idle: activity by others is not visible meanwhile. */
  get resting(): boolean {
    return this.shown && this.rests;
  }

  /** Whether the pane shows a recording. */
  get recorded(): boolean {
    return !this.bound.follow && isRecording(this.bound.client);
  }

  get binding(): Binding {
    return this.bound;
  }

  set binding(binding: Binding) {
    if (!sameBinding(this.bound, binding)) {
      this.bound = binding;
      this.update();
    }
  }

  set visible(visible: boolean) {
    if (this.shown === visible) {
      return;
    }
    this.shown = visible;
    clearTimeout(this.timer);
    this.timer = undefined;
    if (visible) {
      this.restingAt = null;
      this.update();
    } else {
      this.pause();
    }
  }

  /** While set, a binding that follows stays with what is shown: the picture stands still. */
  set still(still: boolean) {
    if (this.stays !== still) {
      this.stays = still;
      this.update();
    }
  }

  /** What the pane needs now: of topics that it needs as before, nothing is sent again. */
  set topics(topics: readonly Topic[]) {
    const wanted = [...new Set<Topic>(['meta', ...topics])];
    if (wanted.join() === this.wanted.join()) {
      return;
    }
    this.wanted = wanted;
    const { held, subscription } = this;
    if (held !== null && subscription !== null) {
      this.subscription = held.feed.subscribe(wanted);
      subscription.dispose();
    }
  }

  /** The user interacts with the pane: reconnect if it was released while idle. */
  wake(): void {
    if (this.restingAt !== null) {
      this.restingAt = null;
      this.update();
    }
  }

  /** The situation, the client's facts or the state of its feed changed. */
  get changed(): ISignal<this, void> {
    return this.changedSignal;
  }

  /** Another run is shown. */
  get replaced(): ISignal<this, LiveClient> {
    return this.replacedSignal;
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    if (!this.disposed) {
      this.disposed = true;
      clearTimeout(this.timer);
      clearTimeout(this.restTimer);
      this.clients.changed.disconnect(this.update, this);
      this.release();
      Signal.clearData(this);
    }
  }

  private update(): void {
    if (this.disposed) {
      return;
    }
    this.meant = this.find();
    this.searched ||= this.clients.kernels.length > 0;
    if (this.shown) {
      this.attach();
    } else {
      this.leave();
      // The connection may have become ours since: its document was closed while this pane was hidden.
      this.pause();
    }
    this.changedSignal.emit();
  }

  /** A binding that follows stays with what is shown, too, where it leads to a closed client whose run nobody has. */
  private find(): Attachment['named'] {
    const { bound, clients, held, kind } = this;
    const found = clients.resolve(bound, kind);
    const unseen = found?.info.status === 'closed' && !clients.holds(found.info.key);
    const kept = bound.follow && held !== null && (this.stays || unseen);
    return (kept ? clients.resolve({ follow: false, path: held.path, client: held.info.key }, kind) : null) ?? found;
  }

  private attach(): void {
    const { held, meant } = this;
    if (this.rests) {
      return;
    }
    this.restingAt = null;
    this.look();
    const stands = held !== null && !held.severed && !held.isDisposed && held.info.key === (meant?.info.key ?? held.info.key);
    if (stands) {
      this.subscription ??= held.feed.subscribe(this.wanted);
      this.watchRest();
      return;
    }
    const next = meant && this.worthOpening(meant.info) ? this.clients.acquire(meant.path, meant.info.key) : null;
    if (next) {
      this.release();
      this.held = next;
      next.feed.stateChanged.connect(this.onState, this);
      this.subscription = next.feed.subscribe(this.wanted);
      this.attachedAt = performance.now();
      this.watchRest();
      this.replacedSignal.emit(next);
    }
  }

  /** A kernel without an open document is asked over our own connection, unless its work is known to be over. */
  private look(): void {
    const { kernel, meant } = this;
    if (kernel?.state === 'unlooked' && (meant === null ? !this.bound.follow : meant.info.status !== 'closed')) {
      kernel.look();
    }
  }

  /** Others may have the run of a closed client; this pane's existing picture is not replaced by it. */
  private worthOpening(info: ClientInfo): boolean {
    return info.status !== 'closed' || this.held?.info.key !== info.key;
  }

  private pause(): void {
    this.subscription?.dispose();
    this.subscription = null;
    if (this.held?.borrowed && !this.held.isDisposed) {
      this.timer ??= setTimeout(() => this.release(), RELEASE_AFTER);
    } else {
      clearTimeout(this.timer);
      this.timer = undefined;
    }
  }

  /** Nobody sees the run of another client any more: panes that follow would stay with it. */
  private leave(): void {
    const { bound, held, meant } = this;
    if (!bound.follow && held !== null && meant !== null && held.info.key !== meant.info.key) {
      this.release();
      this.held = null;
    }
  }

  /** Whether the shown client was idle when released, and its kernel has not been active since. */
  private get rests(): boolean {
    const { held, meant } = this;
    return (
      this.restingAt !== null &&
      held !== null &&
      held.info.key === meant?.info.key &&
      meant.info.status !== 'closed' &&
      (this.kernel?.activity ?? '') === this.restingAt
    );
  }

  private watchRest(): void {
    clearTimeout(this.restTimer);
    if (this.held?.borrowed) {
      this.restTimer = setTimeout(() => this.restIfIdle(), REST_LOOK);
    }
  }

  private restIfIdle(): void {
    const idle = Number.isFinite(this.held?.run.idleSince);
    if (this.shown && idle && performance.now() - this.attachedAt >= REST_AFTER) {
      this.restingAt = this.kernel?.activity ?? '';
      this.release();
    } else {
      this.watchRest();
    }
  }

  private release(): void {
    clearTimeout(this.restTimer);
    this.subscription?.dispose();
    this.subscription = null;
    this.held?.feed.stateChanged.disconnect(this.onState, this);
    this.held?.dispose();
  }

  private onState(): void {
    this.changedSignal.emit();
  }

  private disposed = false;
  private bound: Binding = FOLLOW;
  private shown = false;
  private stays = false;
  /** Kernels have been listed at least once: before that, a binding to an unlisted one waits. */
  private searched = false;
  private held: LiveClient | null = null;
  private meant: { readonly path: string; readonly info: ClientInfo } | null = null;
  private subscription: IDisposable | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The kernel's last activity when it was released while idle; else `null`. */
  private restingAt: string | null = null;
  private restTimer: ReturnType<typeof setTimeout> | undefined;
  private attachedAt: Milliseconds = 0;
  private wanted: readonly Topic[] = [];
  private readonly changedSignal = new Signal<this, void>(this);
  private readonly replacedSignal = new Signal<this, LiveClient>(this);
}
