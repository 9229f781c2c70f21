/**
 * The notebooks and consoles of this page, as the registry announced them last. Loaded at the start of a page, so only this is
 * here: see `selectors/client-names.ts`.
 */

/** A notebook or console with the clients of its kernel, by id; its name is untrusted. */
export interface ClientDocument {
  readonly name: string;
  readonly path: string;
  readonly facts: ReadonlyMap<string, unknown>;
}

/** The documents, the one first that had its kernel first; `times` counts up with each announcement. */
export const announced: { documents: readonly ClientDocument[]; times: number } = { documents: [], times: 0 };
