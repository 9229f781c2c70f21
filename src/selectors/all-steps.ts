/**
 * The result of work in steps, all done now: for what is small, or asked for at once.
 *
 * @param steps - yields between two steps
 */
export function afterAllSteps<T>(steps: Iterator<unknown, T>): T {
  let step = steps.next();
  while (step.done !== true) {
    step = steps.next();
  }
  return step.value;
}
