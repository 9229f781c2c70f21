/** What pictures with a time axis show at the ends of a run: the same in the task stream and in charts. */
import type { Share } from '../../base/units';

/** Fraction of the visible time that stays over the run when panning away from it. */
export const STAYS_IN_VIEW: Share = 0.1;
/** Fraction of the run that is shown before and after it where all of it is visible. */
export const FIT_MARGIN: Share = 0.01;
