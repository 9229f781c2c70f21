import type { Run } from '../run/run';
import type { Plot, PlotOption } from './plot';
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
