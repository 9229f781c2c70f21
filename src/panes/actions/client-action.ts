import type { Subject } from '../../plot/plot';

/** An action through a client; all ask for confirmation. */
export type ActionName = 'retire' | 'restart-worker' | 'trim' | 'cancel' | 'retry' | 'restart' | 'benchmark';

/** An action on a client's cluster, or on something of it. */
export interface ClientAction {
  readonly name: ActionName;
  /** Path of the Jupyter session, and the key of its client. */
  readonly path: string;
  readonly client: string;
  /** `null`: the whole cluster. */
  readonly subject: Subject | null;
}
