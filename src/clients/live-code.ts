import { Lazy } from '../base/lazy';
import { feedCode } from '../feed/kernel/feed-code';

/** Frames and their fold into runs: loaded with the first client that is shown. */
export const liveCode = new Lazy(async () => (await Promise.all([import('./shared-client'), feedCode.get()]))[0]);
