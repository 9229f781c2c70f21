/** Which plots of the catalogue a recording has data for. */
import type { Topic } from '../feed/schema';
import type { Plot, PlotFacts } from '../plot/plot';
import type { Run } from '../run/run';
import { hasGpu } from './workers/gpu-rows';
import { allWorkers } from './workers/worker-rows';

/** Optional topics of a plot: recordings of earlier versions lack them, or they are for the signs of events above it only. */
const ADDED: ReadonlySet<Topic> = new Set<Topic>(['running', 'attempts', 'computations', 'events']);

/** Topics that a kind of view does without: it says itself what it cannot know. */
const DOES_WITHOUT: Partial<Record<Plot['view'], (topic: Topic) => boolean>> = {
  timeline: topic => topic === 'series' || topic === 'prefixes',
  flame: topic => topic === 'series',
  advice: topic => topic !== 'tasks',
  worker: topic => topic !== 'workers'
};

/** What most recordings have nothing of, since it is made on request or by special work, and whether a run has some. */
const SELDOM: Partial<Record<Topic, (run: Run) => boolean>> = {
  shuffles: run => run.shuffles.list.length > 0,
  hardware: run => run.hardware.state !== 'none',
  memory_samples: run => run.memoryRuns.list.length > 0
};

/** Whether a plot can be shown without a scheduler, for what ran in a recording: on GPUs, or without a cluster. */
export function fitsRecording(plot: PlotFacts, run: Run): boolean {
  return (
    !plot.needsScheduler &&
    (plot.about !== 'local' || run.meta.local !== undefined) &&
    (plot.needs !== 'gpu' || allWorkers(run).some(hasGpu))
  );
}

/** Whether the topics of a plot were recorded. Every recording has facts about the scheduler: they alone are no data of a plot. */
export function hasRecordedTopics({ topics, view }: PlotFacts, run: Run): boolean {
  return (
    topics.every(topic => run.has(topic) || ADDED.has(topic) || DOES_WITHOUT[view]?.(topic) === true) &&
    topics.some(topic => topic !== 'meta' && run.has(topic))
  );
}

/** Whether nothing of a plot is in a recording, and nobody expects it there. */
export function isSeldomAndAbsent({ topics, view }: PlotFacts, run: Run): boolean {
  return DOES_WITHOUT[view] === undefined && topics.some(topic => SELDOM[topic]?.(run) === false);
}
