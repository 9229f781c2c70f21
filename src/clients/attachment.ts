import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import type { Milliseconds } from '../base/units';
import type { Binding, ClientKind, Clients, KernelEntry, LiveClient } from './model';
import { isRecording } from './recordings/recordings';
import type { ClientInfo } from '../feed/kernel/kernel-channel';
import type { Topic } from '../feed/schema';
import { FOLLOW, sameBinding } from './binding';

/** A hidden pane on a connection of our own lets go after so long. */
const LET_GO: Milliseconds = 10_000;
/** A visible one whose cluster idles does after so long: its connection would keep an idle kernel from being culled. */
const REST_AFTER: Milliseconds = 30_000;
/** Between two looks whether it idles. */
const REST_LOOK: Milliseconds = 5_000;

/**
 * Where a pane stands with its client:
 * - `none`: no client exists that the binding could mean;
 * - `waiting`: the kernel that is meant has not told yet;
 * - `attached`: the run is fed;
 * - `closed`: the client, its cluster or its kernel has ended; the run, if there is one, stays.
 */
export type Situation = 'none' | 'waiting' | 'attached' | 'closed';

/**
 * Ties one pane to the client that its binding means: finds it, opens it, subscribes to topics while the pane is
 * visible, moves on when another client is meant, and keeps the last run when nothing follows it.
 */
export class Attachment implements IDisposable {
  constructor(
    private readonly clients: Clients,
    topics: readonly Topic[],
    readonly kind: ClientKind = 'cluster'
  ) {
    this.topics = [...new Set<Topic>(['meta', ...topics])];
    clients.changed.connect(this.update, this);
  }

  /** The live state, also after it ended. */
  get live(): LiveClient | null {
    return this.held;
  }

  /** The client that is meant, with what is known of it. */
  get named(): { readonly path: string; readonly info: ClientInfo } | null {
    return this.meant;
  }

  /** The kernel that is meant, where it is listed. */
  get kernel(): KernelEntry | null {
    const path = this.meant?.path ?? (this.bound.follow ? null : this.bound.path);
    return path === null ? this.clients.active : (this.clients.kernels.find(kernel => kernel.path === path) ?? null);
  }

  get situation(): Situation {
    const { held, meant } = this;
    if (meant === null) {
      const state = this.kernel?.state;
      const pending =
        state === 'asking' || state === 'disconnected' || (!this.bound.follow && (state === 'unlooked' || !this.searched));
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

  /** Whether the connection was given back because the cluster idled: what others do to it is not seen meanwhile. */
  get resting(): boolean {
    return this.shown && this.rests;
  }

  /** Whether the pane is about a recording. */
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
    if (visible) {
      this.restingAt = null;
      this.update();
    } else {
      this.pause();
    }
  }

  /** A person uses the pane: what was let go because it idled is taken up again. */
  wake(): void {
    if (this.restingAt !== null) {
      this.restingAt = null;
      this.update();
    }
  }

  /** The situation, the facts of the client or the state of its feed changed. */
  get changed(): ISignal<this, void> {
    return this.changedSignal;
  }

  /** Another run is shown now. */
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
      this.letGo();
      Signal.clearData(this);
    }
  }

  private update(): void {
    if (this.disposed) {
      return;
    }
    this.meant = this.clients.resolve(this.bound, this.kind);
    this.searched ||= this.clients.kernels.length > 0;
    if (this.shown) {
      this.attach();
    }
    this.changedSignal.emit();
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
      this.subscription ??= held.feed.subscribe(this.topics);
      this.watchRest();
      return;
    }
    const next = meant && this.worthOpening(meant.info) ? this.clients.acquire(meant.path, meant.info.key) : null;
    if (next) {
      this.letGo();
      this.held = next;
      next.feed.stateChanged.connect(this.onState, this);
      this.subscription = next.feed.subscribe(this.topics);
      this.attachedAt = performance.now();
      this.watchRest();
      this.replacedSignal.emit(next);
    }
  }

  /** A kernel without an open document is asked over a connection of our own, while what it runs is not known to be over. */
  private look(): void {
    const { kernel, meant } = this;
    if (kernel?.state === 'unlooked' && (meant === null ? !this.bound.follow : meant.info.status !== 'closed')) {
      kernel.look();
    }
  }

  /** Of a closed client others may hold the run; a picture that the pane has of it is not given up for that. */
  private worthOpening(info: ClientInfo): boolean {
    return info.status !== 'closed' || this.held?.info.key !== info.key;
  }

  private pause(): void {
    this.subscription?.dispose();
    this.subscription = null;
    if (this.held?.borrowed) {
      this.timer = setTimeout(() => this.letGo(), LET_GO);
    }
  }

  /** Whether what is shown idled when it was let go, and its kernel has done nothing since. */
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
    const since = this.held?.run.meta.idle_since;
    const idle = typeof since === 'number' && since > 0 && performance.now() - this.attachedAt >= REST_AFTER;
    if (this.shown && idle) {
      this.restingAt = this.kernel?.activity ?? '';
      this.letGo();
    } else {
      this.watchRest();
    }
  }

  private letGo(): void {
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
  /** Kernels have been listed at least once: before that, a binding to an unlisted one waits. */
  private searched = false;
  private held: LiveClient | null = null;
  private meant: { readonly path: string; readonly info: ClientInfo } | null = null;
  private subscription: IDisposable | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The kernel's last activity when it was let go because it idled; `null` while it is not. */
  private restingAt: string | null = null;
  private restTimer: ReturnType<typeof setTimeout> | undefined;
  private attachedAt: Milliseconds = 0;
  private readonly topics: readonly Topic[];
  private readonly changedSignal = new Signal<this, void>(this);
  private readonly replacedSignal = new Signal<this, LiveClient>(this);
}
