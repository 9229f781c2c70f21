import type { ExampleOf } from '../../plot-frame/explain';
import { catalogueText } from '../../plot/translation';

/** The example of a plot: its own, or one of our pictures, which are not loaded before the first is wanted. */
export const exampleOf: ExampleOf = async (plot, trans) => {
  if (plot.example !== undefined) {
    return plot.example;
  }
  const { EXAMPLE_PICTURES, EXAMPLE_SIZE } = await import('./pictures');
  const urls = EXAMPLE_PICTURES.get(plot.id);
  if (urls === undefined) {
    return null;
  }
  const [light, dark] = urls;
  const alt = `${catalogueText(trans, plot.title)}: ${catalogueText(trans, plot.caption)}`;
  return { light, dark, alt, size: EXAMPLE_SIZE };
};
