import type { Reply } from '../ask-kernel';
import type { ShowRequest } from '../kernel-channel';

/** Read a request of the kernel to show something; missing parts are empty. */
export function readShow({ what, client, session }: Reply): ShowRequest {
  return { what: String(what ?? ''), client: String(client ?? ''), session: String(session ?? '') };
}
