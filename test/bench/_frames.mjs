// CPU time of the main thread for each frame of a page, from a trace: a clock would count what other programs take.

/**
 * @typedef {object} TraceEvent
 * @property {string} name
 * @property {string} ph
 * @property {number} pid
 * @property {number} tid
 * @property {number} ts - by the clock, in µs
 * @property {number} [tdur] - CPU time, in µs
 */

/** @param {readonly number[]} values @param {number} share @returns {number} */
const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))];

/** @param {readonly number[]} values */
export const p95 = values => quantile(values, 0.95);

/** @param {readonly number[]} values */
export const median = values => quantile(values, 0.5);

/**
 * Do something, and return what each frame of it cost.
 *
 * @param {import('@playwright/test').Page} page
 * @param {() => Promise<unknown>} act
 * @returns {Promise<{ main: number, script: number }[]>} ms of CPU of all of the main thread, and of callbacks of animation
 *   frames alone, from the start of one frame to that of the next
 */
export async function framesOf(page, act) {
  return split(await traced(page, ['devtools.timeline', 'disabled-by-default-devtools.timeline'], act));
}

/**
 * Do something, and return how often the browser built all layers of the page again for a frame of it: for moved pixels and
 * for animations it does not have to.
 *
 * @param {import('@playwright/test').Page} page
 * @param {() => Promise<unknown>} act
 * @returns {Promise<number>} per frame
 */
export async function layeringsOf(page, act) {
  const events = await traced(page, ['devtools.timeline', 'blink'], act);
  const count = (/** @type {string} */ wanted) => events.filter(({ name }) => name === wanted).length;
  return count('PaintArtifactCompositor::Update') / count('FireAnimationFrame');
}

/**
 * Do something that begins and ends with a frame, and return what the longest task between the two cost.
 *
 * @param {import('@playwright/test').Page} page
 * @param {() => Promise<unknown>} act
 * @returns {Promise<number>} ms of CPU of the main thread
 */
export async function longestTaskOf(page, act) {
  const events = await traced(page, ['devtools.timeline', 'disabled-by-default-devtools.timeline'], act);
  const frames = events.filter(({ name }) => name === 'FireAnimationFrame').sort((a, b) => a.ts - b.ts);
  const [first, last] = [frames[0], frames[frames.length - 1]];
  const tasks = events
    .filter(
      ({ name, pid, tid, ts }) => name === 'RunTask' && pid === first.pid && tid === first.tid && ts > first.ts && ts < last.ts
    )
    .sort((a, b) => a.ts - b.ts);
  // The last one is that of the frame.
  return Math.max(...tasks.slice(0, -1).map(({ tdur = 0 }) => tdur / 1000));
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {readonly string[]} categories - of events
 * @param {() => Promise<unknown>} act
 * @returns {Promise<TraceEvent[]>}
 */
async function traced(page, categories, act) {
  const session = await page.context().newCDPSession(page);
  /** @type {TraceEvent[]} */
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    events.push(.../** @type {TraceEvent[]} */ (/** @type {unknown} */ (value)));
  });
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: [...categories] } });
  await act();
  const complete = new Promise(resolve => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  return events;
}

/**
 * @param {readonly TraceEvent[]} events
 * @returns {{ main: number, script: number }[]}
 */
function split(events) {
  const frames = events.filter(({ name }) => name === 'FireAnimationFrame');
  const [{ pid, tid } = { pid: 0, tid: 0 }] = frames;
  const own = events.filter(event => event.pid === pid && event.tid === tid && event.ph === 'X' && event.tdur !== undefined);
  const tasks = own.filter(({ name }) => name === 'RunTask').sort((a, b) => a.ts - b.ts);
  const callbacks = frames.filter(event => own.includes(event)).sort((a, b) => a.ts - b.ts);
  /** @type {{ main: number, script: number }[]} */
  const found = [];
  let next = 0;
  for (const [i, task] of tasks.entries()) {
    const end = tasks[i + 1]?.ts ?? Number.POSITIVE_INFINITY;
    let script = 0;
    const before = next;
    for (; next < callbacks.length && callbacks[next].ts < end; next++) {
      script += (callbacks[next].tdur ?? 0) / 1000;
    }
    if (next > before) {
      found.push({ main: 0, script: 0 });
    }
    const frame = found.at(-1);
    if (frame !== undefined) {
      frame.main += (task.tdur ?? 0) / 1000;
      frame.script += script;
    }
  }
  // The last one ends with the trace, not with a frame.
  return found.slice(0, -1);
}
