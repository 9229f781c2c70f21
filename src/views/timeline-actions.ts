/** What commands can do to a timeline: known before the code of timelines is loaded. */

/** Actions of the buttons above a timeline, and of its commands. */
export const TIMELINE_ACTIONS = ['zoom-out', 'zoom-in', 'whole-run', 'computation', 'follow', 'search'] as const;

/** See {@link TIMELINE_ACTIONS}. */
export type TimelineAction = (typeof TIMELINE_ACTIONS)[number];

/** Class of the element of a timeline that listens to {@link TIMELINE_ACTION_EVENT}. */
export const TIMELINE_CLASS = 'dp-TimelineFrame';

/** Event by which a command reaches a timeline; `detail` is the action. */
export const TIMELINE_ACTION_EVENT = 'dp-timeline-action';
