import type { Translate } from '../../src/plot/plot';

/** A translation into the language of the sources. */
export const translate: Translate = (text, ...args) =>
  args.reduce<string>((out, arg, i) => out.replaceAll(`%${i + 1}`, String(arg)), text);
