/** How this page calls the clients of its kernels: runs know only their ids. Reports and saved runs have no page to ask. */
import { announced, type ClientDocument } from '../run/client-documents';

type NamedDocument = Pick<ClientDocument, 'name' | 'path'>;

/** With more clients of which no kernel tells any more, all of these are forgotten. */
const MOST_GONE = 500;

const documents = new Map<string, NamedDocument>();
let changes = 0;
let seen = 0;

/** Note the documents to which clients belong, by id. A client keeps its name when its document is closed. */
export function noteDocuments(found: ReadonlyMap<string, NamedDocument>): void {
  if (documents.size > found.size + MOST_GONE) {
    forgetDocuments();
  }
  for (const [client, { name, path }] of found) {
    const known = documents.get(client);
    if (known?.name !== name || known.path !== path) {
      documents.set(client, { name, path });
      changes += 1;
    }
  }
}

/** Forget all that were noted. */
export function forgetDocuments(): void {
  documents.clear();
  changes += 1;
}

/** The name of the notebook or console of a client; `undefined` if this page does not know it. It is untrusted. */
export function documentOf(client: string): string | undefined {
  noteAnnounced();
  return documents.get(client)?.name;
}

/** Whether two clients are known to be of the same notebook or console. */
export function haveSameDocument(client: string, other: string): boolean {
  noteAnnounced();
  const path = documents.get(client)?.path;
  return path !== undefined && path === documents.get(other)?.path;
}

/** Changes with what {@link documentOf} answers. */
export function documentsVersion(): number {
  noteAnnounced();
  return changes;
}

function noteAnnounced(): void {
  if (seen !== announced.times) {
    seen = announced.times;
    // Of documents that share a kernel, the one that had it first.
    const owners = announced.documents.flatMap(document => [...document.facts.keys()].map(key => [key, document] as const));
    noteDocuments(new Map(owners.reverse()));
  }
}
