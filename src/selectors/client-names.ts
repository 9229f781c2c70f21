/** How this page calls the clients of its kernels: runs know only their ids. Reports and saved runs have no page to ask. */
import { known } from '../run/client-documents';

/** The name of the notebook or console of a client; `undefined` if this page does not know it. It is untrusted. */
export function documentOf(client: string): string | undefined {
  return known.documents.get(client)?.name;
}

/** Whether two clients are known to be of the same notebook or console. */
export function haveSameDocument(client: string, other: string): boolean {
  const path = known.documents.get(client)?.path;
  return path !== undefined && path === known.documents.get(other)?.path;
}

/** Changes with what {@link documentOf} answers. */
export function documentsVersion(): number {
  return known.changes;
}
