// What the schema of the feed states as bounds, resolved for a reader. Whatever states none is an error.

/** @typedef {Record<string, any>} Spec */

const SECOND_TABLES = ['moves', 'edges', 'stacks', 'functions', 'ends'];
const FORMS = ['is', 'in', 'enum', 'text', 'flag', 'list', 'tuple', 'map', 'fields'];

/**
 * The bound of a number or position.
 *
 * @param {Spec} schema
 * @param {Spec} spec
 * @param {string} where
 * @returns {Spec}
 */
function bound(schema, spec, where) {
  if (spec.enum !== undefined) {
    const values = schema.enums[spec.enum];
    if (values === undefined) {
      throw new Error(`${where}: there is no enum ${spec.enum}`);
    }
    return { least: 0, most: values.length - 1, whole: true };
  }
  if (spec.in !== undefined) {
    if (spec.in === 'doc' || !(spec.in in schema.names || spec.in === 'rows' || spec.in.startsWith('own.'))) {
      throw new Error(`${where}: there is no dictionary ${spec.in}`);
    }
    return spec.plus === undefined ? { in: spec.in } : { in: spec.in, plus: spec.plus };
  }
  const rule = schema.rules[spec.is];
  if (spec.is === 'doc' || rule === undefined) {
    throw new Error(`${where} states no bound: give it \`is\` (a rule), \`in\` (a dictionary) or \`enum\``);
  }
  const { doc: _, ...numbers } = rule;
  return numbers;
}

/**
 * @param {Spec} schema
 * @param {Spec} columns
 * @param {string} where
 */
function columnChecks(schema, columns, where) {
  return Object.fromEntries(
    Object.entries(columns).map(([name, spec]) => {
      const float = spec.dtype.startsWith('f');
      const needed = spec.needed ? { needed: true } : {};
      return [name, { float, ...bound(schema, spec, `column ${name} of ${where}`), ...needed }];
    })
  );
}

/**
 * @param {Spec} schema
 * @param {Spec | string} spec
 * @param {string} where
 * @returns {Spec}
 */
function valueCheck(schema, spec, where) {
  if (typeof spec === 'string' || !FORMS.some(form => form in spec)) {
    throw new Error(`${where} states no bound: give it one of ${FORMS.join(', ')}`);
  }
  /** @type {Spec} */
  const check = {};
  if (spec.is !== undefined || spec.in !== undefined || spec.enum !== undefined) {
    Object.assign(check, bound(schema, spec, where));
  }
  for (const plain of ['text', 'flag', 'most', 'keys', 'null']) {
    if (spec[plain] !== undefined && (plain !== 'most' || spec.is === undefined)) {
      check[plain] = spec[plain];
    }
  }
  for (const inner of ['list', 'map']) {
    if (spec[inner] !== undefined) {
      check[inner] = valueCheck(schema, spec[inner], where);
      if (spec.most === undefined || (inner === 'map' && spec.keys === undefined)) {
        throw new Error(`${where}: a ${inner} says how many entries it has at most, a map how long its keys are`);
      }
    }
  }
  if (spec.tuple !== undefined) {
    check.tuple = spec.tuple.map((/** @type {Spec} */ part) => valueCheck(schema, part, where));
  }
  if (spec.fields !== undefined) {
    check.fields = fieldChecks(schema, spec.fields, where);
  }
  return check;
}

/**
 * @param {Spec} schema
 * @param {Spec} fields
 * @param {string} where
 */
function fieldChecks(schema, fields, where) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, spec]) => [name, valueCheck(schema, spec, `${name} of ${where}`)])
  );
}

/**
 * What a topic may hold.
 *
 * @param {Spec} schema
 * @param {string} name
 * @throws Error where something states no bound
 */
export function topicChecks(schema, name) {
  const topic = schema.topics[name];
  const second = SECOND_TABLES.find(table => topic[table] !== undefined);
  const where = `topic ${name}`;
  return {
    columns: columnChecks(schema, topic.columns, where),
    ...(second === undefined ? {} : { moves: columnChecks(schema, topic[second].columns, `the second table of ${where}`) }),
    scalars: fieldChecks(schema, topic.scalars ?? {}, where)
  };
}

/**
 * What the entries of the dictionaries may be.
 *
 * @param {Spec} schema
 */
export function dictionaryChecks(schema) {
  const { doc: _, ...names } = schema.names;
  return fieldChecks(schema, names, 'the dictionaries');
}

/**
 * The type of a value in TypeScript.
 *
 * @param {Spec} spec
 * @param {string} indent
 * @returns {string}
 */
export function typeOf(spec, indent) {
  const nullable = spec.null ? ' | null' : '';
  if (spec.fields !== undefined) {
    const fields = Object.entries(spec.fields).map(([name, field]) => {
      const doc = field.doc === undefined ? '' : `${indent}  /** ${field.doc} */\n`;
      return `${doc}${indent}  readonly ${name}?: ${typeOf(field, `${indent}  `)};`;
    });
    return `{\n${fields.join('\n')}\n${indent}}${nullable}`;
  }
  if (spec.list !== undefined) {
    return `readonly (${typeOf(spec.list, indent)})[]${nullable}`;
  }
  if (spec.tuple !== undefined) {
    return `readonly [${spec.tuple.map((/** @type {Spec} */ part) => typeOf(part, indent)).join(', ')}]${nullable}`;
  }
  if (spec.map !== undefined) {
    return `Readonly<Record<string, ${typeOf(spec.map, indent)}>>${nullable}`;
  }
  if (spec.flag) {
    return `boolean${nullable}`;
  }
  const number = spec.is !== undefined || spec.in !== undefined;
  const text = spec.text !== undefined ? 'string' : '';
  // A figure outside its range is read as null.
  return [number ? 'number | null' : '', text, number || !spec.null ? '' : 'null'].filter(Boolean).join(' | ');
}
