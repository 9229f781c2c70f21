/** The notebooks and consoles to which clients belong, by id of the client. Loaded at the start of a page: see `selectors/client-names.ts`. */

/** A notebook or console; its name is untrusted. */
export interface NamedDocument {
  readonly name: string;
  readonly path: string;
}

/** With more clients of which no kernel tells any more, all of these are forgotten. */
const MOST_GONE = 500;

/** What this page knows; `changes` counts up with each change. */
export const known = { documents: new Map<string, NamedDocument>(), changes: 0 };

/** Note the documents to which clients belong, by id. A client keeps its name when its document is closed. */
export function noteDocuments(found: ReadonlyMap<string, NamedDocument>): void {
  if (known.documents.size > found.size + MOST_GONE) {
    forgetDocuments();
  }
  for (const [client, { name, path }] of found) {
    const before = known.documents.get(client);
    if (before?.name !== name || before.path !== path) {
      known.documents.set(client, { name, path });
      known.changes += 1;
    }
  }
}

/** Forget all, as when the page's registry has ended. */
export function forgetDocuments(): void {
  known.documents.clear();
  known.changes += 1;
}
