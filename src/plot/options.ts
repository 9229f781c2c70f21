import type { Topic } from '../feed/schema';
import type { Run } from '../run/run';
import type { Selection } from '../run/selection/selection';
import type { Chosen, Plot, PlotOption } from './plot';
import { oneLine } from './text';

/** The options of a plot with the choices that the run offers. A selected choice that no longer exists stays listed. */
export function optionsOf(plot: Plot, run: Run | null, values: Readonly<Record<string, string>>): readonly PlotOption[] {
  return (plot.options ?? []).map(option => {
    const choices = [...option.choices, ...((run && option.found?.(run)) ?? [])];
    const value = values[option.id] ?? option.initial;
    return choices.some(choice => choice.value === value)
      ? { ...option, choices }
      : { ...option, choices: [...choices, { value, label: (run && option.labelOf?.(run, value)) ?? oneLine(value) }] };
  });
}

/** Values of all options of a plot: the given ones, else the initial ones. */
export function chosenOptions({ options = [] }: Plot, given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { ...Object.fromEntries(options.map(({ id, initial }) => [id, initial])), ...given };
}

/** Whether an option has a value. */
export function isChosen({ option, value }: Chosen, options: Readonly<Record<string, string>>): boolean {
  return options[option] === value;
}

/** Whether what a plot shows can be cleared with some values of its options. */
export function isClearable(plot: Plot, given: Readonly<Record<string, string>>): boolean {
  const { clearable } = plot;
  return typeof clearable === 'object' ? isChosen(clearable, chosenOptions(plot, given)) : clearable === true;
}

/** The topics that a plot needs with some values of its options. */
export function topicsOf(plot: Plot, given: Readonly<Record<string, string>>): readonly Topic[] {
  const { topics, choiceTopics } = plot;
  if (choiceTopics === undefined) {
    return topics;
  }
  const options = chosenOptions(plot, given);
  return [...new Set([...topics, ...choiceTopics.filter(each => isChosen(each, options)).flatMap(each => each.topics)])];
}

/** Whether a plot shows, dims or changes what a selection selects, with some selection and some values of its options. */
export function mayFollow(plot: Plot): boolean {
  const selects =
    plot.view === 'worker' || plot.view === 'graph' || (plot.view === 'table' && (plot.selects ?? plot.leftOut) !== undefined);
  // Only samples of tasks distinguish functions and workers.
  const counts = plot.view === 'flame' && plot.topic === 'profile';
  return selects || counts || plot.acts !== undefined || (plot.view === 'vega' && plot.followsSelection !== undefined);
}

/** Whether it does so with a selection and the values that are given of its options. */
export function follows(plot: Plot, given: Readonly<Record<string, string>>, { period, workers }: Selection): boolean {
  const options = chosenOptions(plot, given);
  if (plot.view === 'worker') {
    return workers !== null && !options.worker;
  }
  if (plot.inert !== undefined && isChosen(plot.inert, options)) {
    return false;
  }
  const part = plot.view === 'vega' ? plot.followsSelection : undefined;
  if (typeof part === 'object' && !isChosen(part, options)) {
    return plot.acts !== undefined;
  }
  return mayFollow(plot) && (period !== null || part !== 'period');
}
