import type { Translate } from '../../src/plot/plot';
import { english } from '../../src/plot/translation';

/** A translation into the language of the sources. */
export const translate: Translate = Object.assign(
  (text: string, ...args: (string | number)[]) => english.__(text, ...args),
  english
);
