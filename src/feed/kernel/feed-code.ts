import { Lazy } from '../../base/lazy';

/** Decoding and checking frames: loaded with the first client that is shown. */
export const feedCode = new Lazy(() => import('../client-feed'));
