// docs/configuration.md: Dask's configuration and the settings of JupyterLab, from the files that have their defaults.
import { escaped, generated, table } from './markdown.mjs';

/** @typedef {Record<string, any>} Json */

/**
 * @param {string} yaml - text of `bridge/dask_panes.yaml`
 * @param {Readonly<Record<string, Json>>} schemas - of settings, by the id of their plugin
 */
export function configurationPage(yaml, schemas) {
  return [
    generated('bridge/dask_panes.yaml and schema'),
    '# Configuration',
    '',
    '## Dask',
    '',
    "The kernel's side reads section `dask-panes` of [Dask's configuration](https://docs.dask.org/en/latest/configuration.html). Set it in a",
    'YAML file in `~/.config/dask`, in the environment (`DASK_DASK_PANES__ATTACH=false`), or with `dask.config.set` before the client is made.',
    'A value that cannot be used is named beside the client, and the default is used. The package installs the defaults as',
    '`etc/dask/dask_panes.yaml`; they change nothing in processes that are not Jupyter kernels.',
    '',
    ...table(
      ['key', 'default', 'meaning'],
      switches(yaml).map(each => [`\`${each.key}\``, `\`${each.value}\``, linked(escaped(each.meaning))])
    ),
    '',
    '## JupyterLab',
    '',
    'The settings of the extension are in **Settings > Settings Editor > Dask Panes**. An administrator can change the defaults in',
    '`overrides.json`, under the id of the plugin: `{ "dask-panes:plugin": { "defaultLayout": "Our site", "layouts": { "Our site": … } } }`, with a layout as',
    '"Save layout" has written it to the settings of a user. What a user chooses counts more.',
    '',
    ...Object.entries(schemas).flatMap(([id, schema]) => settings(id, schema))
  ].join('\n');
}

/**
 * A comment names pages by their paths.
 *
 * @param {string} text
 */
function linked(text) {
  return text.replaceAll(/docs\/([\w-]+)\.md/g, '[$1]($1.md)');
}

/**
 * @param {string} id
 * @param {Json} schema
 */
function settings(id, schema) {
  const rows = Object.entries(schema.properties).map(([name, property]) => [
    `\`${name}\``,
    escaped(property.title),
    `\`${JSON.stringify(property.default)}\``,
    values(property),
    escaped(property.description)
  ]);
  return [`Plugin \`${id}\`:`, '', ...table(['setting', 'title', 'default', 'values', 'meaning'], rows), ''];
}

/** @param {Json} property */
function values({ type, enum: names, minimum, maximum, readOnly }) {
  if (readOnly) {
    return 'shown only';
  }
  if (names !== undefined) {
    return names.map((/** @type {unknown} */ name) => `\`${JSON.stringify(name)}\``).join(', ');
  }
  if (type === 'boolean') {
    return '`true`, `false`';
  }
  return minimum === undefined ? type : `${type} from ${minimum} to ${maximum}`;
}

/**
 * Keys with their defaults, and the comments above them.
 *
 * @param {string} yaml
 * @throws Error where a line cannot be read, or a key has no comment
 */
export function switches(yaml) {
  /** @type {{ key: string, value: string, meaning: string }[]} */
  const found = [];
  /** @type {string[]} */
  let comment = [];
  /** @type {string[]} */
  let path = [];
  for (const line of yaml.split('\n').filter(text => text.trim() !== '')) {
    const [, indent = '', rest = ''] = /^( *)(.*)$/.exec(line) ?? [];
    if (rest.startsWith('#')) {
      comment.push(rest.replace(/^# ?/, ''));
      continue;
    }
    const [, name, value] = /^([\w-]+):(?: (.*))?$/.exec(rest) ?? [];
    if (name === undefined) {
      throw new Error(`cannot read this line of the configuration: ${line}`);
    }
    path = [...path.slice(0, indent.length / 2), name];
    if (value !== undefined) {
      if (comment.length === 0) {
        throw new Error(`${path.join('.')} has no comment that says what it is`);
      }
      found.push({ key: path.join('.'), value, meaning: comment.join(' ') });
    }
    comment = [];
  }
  return found;
}
