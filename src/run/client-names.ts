/** How this page calls the clients of its kernels: runs know only their ids. Reports and saved runs have no page to ask. */

const documents = new Map<string, string>();
let changes = 0;

/** Note the documents, by name, to which clients belong, by id. A client keeps its name when its document is closed. */
export function noteDocuments(found: Iterable<readonly [client: string, document: string]>): void {
  for (const [client, document] of found) {
    if (documents.get(client) !== document) {
      documents.set(client, document);
      changes += 1;
    }
  }
}

/** The page's registry has ended. */
export function forgetDocuments(): void {
  documents.clear();
  changes += 1;
}

/** The name of the notebook or console of a client; `undefined` if this page does not know it. It is untrusted. */
export function documentOf(client: string): string | undefined {
  return documents.get(client);
}

/** Changes with what {@link documentOf} answers. */
export function documentsVersion(): number {
  return changes;
}
