// Writes src/feed/schema.ts and schema-checks.ts from the one schema of the feed, and the rules of hosted clusters next to
// their form. The Python side reads both as they are.
import { readFileSync, writeFileSync } from 'node:fs';
import { dictionaryChecks, topicChecks, typeOf } from './lib/schema-checks.mjs';

const root = new URL('..', import.meta.url);
const schema = JSON.parse(readFileSync(new URL('bridge/dask_panes/feed/schema.json', root), 'utf8'));
/** @param {readonly string[]} values */
const list = values => `[${values.map(v => `'${v}'`).join(', ')}] as const`;
/** @param {string} name */
const title = name => name[0].toUpperCase() + name.slice(1);

/** @param {unknown} value */
const literal = value =>
  JSON.stringify(value, null, 2)
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll('"', "'")
    // A check fits a line.
    .replaceAll(/\{[^{}[\]]*\}/g, text => text.replaceAll(/\s+/g, ' '));

const lines = [
  '// Generated from bridge/dask_panes/feed/schema.json by `npm run schema`. Do not edit.',
  '/** Version of the frame format. */',
  `export const PROTOCOL = ${schema.protocol};`,
  '',
  '/** Frames and bytes that may be on their way to one tab without an acknowledgement. */',
  `export const CREDIT = { frames: ${schema.credit.frames}, bytes: ${schema.credit.bytes} } as const;`,
  '',
  '/** msgpack extension codes of u1, u2, u4, f4, f8, in this order. */',
  `export const DTYPE_CODES = [${Object.values(schema.dtypes)
    .map(d => d.code)
    .join(', ')}] as const;`,
  '',
  '/** Every topic of the feed. */',
  `export const TOPICS = ${list(Object.keys(schema.topics))};`,
  '/** A topic of the feed. */',
  'export type Topic = (typeof TOPICS)[number];',
  '/** Topics that the kernel asks the workers for, some at a time: on a large cluster they come late. */',
  `export const GATHERED_TOPICS: readonly Topic[] = ${JSON.stringify(
    Object.keys(schema.topics).filter(topic => schema.topics[topic].gathered)
  )
    .replaceAll('"', "'")
    .replaceAll(',', ', ')};`,
  ''
];
for (const [name, values] of Object.entries(schema.enums)) {
  const constant = name.replace(/[A-Z]/g, c => `_${c}`).toUpperCase();
  lines.push(`/** Codes of \`${name}\`: the position is the code. */`);
  lines.push(`export const ${constant} = ${list(values)};`);
  lines.push(`/** A name of \`${name}\`. */`);
  lines.push(`export type ${title(name)} = (typeof ${constant})[number];`, '');
}
for (const [name, topic] of Object.entries(schema.topics)) {
  const columns = Object.keys(topic.columns).filter(c => !c.includes('*'));
  if (columns.length) {
    lines.push(`/** Columns of topic \`${name}\`. */`);
    lines.push(`export const ${name.toUpperCase()}_COLUMNS = ${list(columns)};`);
    lines.push(`/** A column of topic \`${name}\`. */`);
    lines.push(`export type ${title(name)}Column = (typeof ${name.toUpperCase()}_COLUMNS)[number];`, '');
  }
  if (topic.moves) {
    lines.push(`/** Columns of the moves of topic \`${name}\`. */`);
    lines.push(`export const MOVES_COLUMNS = ${list(Object.keys(topic.moves.columns))};`);
    lines.push(`/** A column of the moves of topic \`${name}\`. */`);
    lines.push(`export type MovesColumn = (typeof MOVES_COLUMNS)[number];`, '');
  }
}
lines.push(
  '/** Facts of topic `meta`: each may be missing. */',
  `export type Meta = ${typeOf({ fields: schema.topics.meta.scalars }, '')};`,
  ''
);
// Apart from the names, which a page has from its start: only code that reads frames loads these.
const { doc: _, ...limits } = schema.limits;
const checks = [
  '// Generated from bridge/dask_panes/feed/schema.json by `npm run schema`. Do not edit.',
  "import type { TopicChecks, ValueCheck } from './checks';",
  "import type { Topic } from './schema';",
  '',
  '/** What a reader takes at most; see `docs/feed.md`, "Validation". */',
  `export const LIMITS = ${literal(limits)} as const;`,
  '',
  '/** What the entries of the dictionaries may be; those before are known when one is read. */',
  `export const NAME_CHECKS: Readonly<Record<'workers' | 'prefixes' | 'groups' | 'lanes', ValueCheck>> = ${literal(dictionaryChecks(schema))};`,
  '',
  '/** What each topic may hold. */',
  `export const CHECKS: Readonly<Record<Topic, TopicChecks>> = ${literal(
    Object.fromEntries(Object.keys(schema.topics).map(name => [name, topicChecks(schema, name)]))
  )};`,
  ''
];
const rules = JSON.parse(readFileSync(new URL('bridge/dask_panes/clusters/rules.json', root), 'utf8'));
const rulesOfHosting = [
  '// Generated from bridge/dask_panes/clusters/rules.json by `npm run schema`. Do not edit.',
  '',
  '/** What a user may choose for a hosted cluster: patterns of whole texts, and limits. */',
  `export const RULES = ${literal((({ doc: _, ...rest }) => rest)(rules))} as const;`,
  ''
];

let outdated = false;
for (const [path, content] of Object.entries({
  'src/feed/schema.ts': lines,
  'src/feed/schema-checks.ts': checks,
  'src/sidebar/hosting/rules.ts': rulesOfHosting
})) {
  const target = new URL(path, root);
  const text = content.join('\n');
  if (!process.argv.includes('--check')) {
    writeFileSync(target, text);
  } else if (readFileSync(target, 'utf8') !== text) {
    console.error(`${path} is out of date: run \`npm run schema\``);
    outdated = true;
  }
}
process.exit(outdated ? 1 : 0);
