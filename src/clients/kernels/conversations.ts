import type { Kernel } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import type { ShowRequest } from '../../feed/kernel/kernel-channel';
import { Conversation, type ConversationServices } from './conversation';
import type { LiveClient } from '../model';
import type { SharedClient } from '../shared-client';

/** A location of a kernel: one of several that share a conversation. */
export interface Place {
  readonly path: string;
  /** Whether a document is open there. */
  readonly open: boolean;
}

/** The conversations of this page, one per kernel, shared by all locations of that kernel. */
export class Conversations implements IDisposable {
  constructor(private readonly services: ConversationServices) {}

  /** `dask_panes.show(…)` in a kernel. */
  get shown(): ISignal<this, ShowRequest & { readonly kernelId: string }> {
    return this.shownSignal;
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** Set the connections of all open documents by kernel id, preferred ones first. */
  offer(connections: ReadonlyMap<string, readonly Kernel.IKernelConnection[]>): void {
    this.offered = connections;
    for (const [id, { conversation }] of this.entries) {
      conversation.line.offer(connections.get(id) ?? []);
    }
  }

  /** Join the conversation with a kernel. */
  join(kernelId: string, place: Place): Conversation {
    let entry = this.entries.get(kernelId);
    if (!entry) {
      const places = new Set<Place>();
      const conversation = new Conversation(kernelId, this.services, () => pathOf(places));
      entry = { conversation, places };
      this.entries.set(kernelId, entry);
      conversation.shown.connect(this.relay, this);
      conversation.line.offer(this.offered.get(kernelId) ?? []);
    }
    entry.places.add(place);
    return entry.conversation;
  }

  /** Leave the conversation; it ends with its last location. Returns whether it continues. */
  leave(conversation: Conversation, place: Place): boolean {
    const entry = this.entries.get(conversation.kernelId);
    if (!entry || entry.conversation !== conversation || conversation.isDisposed) {
      return false;
    }
    entry.places.delete(place);
    if (entry.places.size > 0) {
      return true;
    }
    this.entries.delete(conversation.kernelId);
    for (const [key, shared] of conversation.end()) {
      this.ended.set(key, shared);
      shared.retire(place.path, () => {
        if (this.ended.get(key) === shared) {
          this.ended.delete(key);
        }
      });
    }
    return false;
  }

  /** Share a client that a pane still has although its kernel is gone. */
  past(client: string): LiveClient | null {
    return this.ended.get(client)?.share() ?? null;
  }

  /** Whether anyone has the run of a client open. */
  holds(client: string): boolean {
    return this.ended.has(client) || [...this.entries.values()].some(({ conversation }) => conversation.holds(client));
  }

  dispose(): void {
    if (!this.disposed) {
      this.disposed = true;
      for (const { conversation } of this.entries.values()) {
        conversation.dispose();
      }
      this.entries.clear();
      Signal.clearData(this);
    }
  }

  private relay({ kernelId }: Conversation, request: ShowRequest): void {
    this.shownSignal.emit({ ...request, kernelId });
  }

  private disposed = false;
  private offered: ReadonlyMap<string, readonly Kernel.IKernelConnection[]> = new Map();
  private readonly entries = new Map<string, { readonly conversation: Conversation; readonly places: Set<Place> }>();
  /** Clients of ended conversations, as long as they are shown. */
  private readonly ended = new Map<string, SharedClient>();
  private readonly shownSignal = new Signal<this, ShowRequest & { readonly kernelId: string }>(this);
}

function pathOf(places: ReadonlySet<Place>): string {
  const all = [...places];
  return (all.find(place => place.open) ?? all[0])?.path ?? '';
}
