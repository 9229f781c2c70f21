// Where TypeScript can be mutated: an operator, a bound, a condition, a number, a statement.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { ROOT } from '../lib/environment.mjs';

/**
 * @typedef {object} Point - one possible mutation
 * @property {string} file - relative to the checkout
 * @property {number} line - from 1
 * @property {string} from - the line in which it begins, without indentation
 * @property {string} to - that line when it is mutated
 * @property {number} start - offset of the replaced text
 * @property {number} end
 * @property {string} text - what replaces it
 * @property {number} [probe] - of Python: the line of its statement; -1 where the module itself is being run
 * @property {readonly [number, number]} [node] - of TypeScript: the expression or statement of which it is a part
 * @property {boolean} [statement]
 */

/** Operators and what replaces them. A comparison has two mutants: another bound, and its opposite. */
const OPERATORS = /** @type {Readonly<Record<string, readonly string[]>>} */ ({
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '&': ['|'],
  '|': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '&&': ['||'],
  '||': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '/=': ['*='],
  '|=': ['&='],
  '&=': ['|='],
  '<<=': ['>>='],
  '>>=': ['<<='],
  '++': ['--'],
  '--': ['++']
});

/** Functions with an opposite. */
const OPPOSITES = /** @type {Readonly<Record<string, string>>} */ ({
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  some: 'every',
  every: 'some'
});

/** Expressions around a value that exist for the types only. */
const TYPED = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression', 'TSParameterProperty']);

/**
 * @param {string} file - relative to the checkout
 * @param {string} [source]
 * @returns {{ points: Point[], loops: number[], source: string }}
 */
export function pointsOf(file, source = readFileSync(join(ROOT, file), 'utf8')) {
  const walk = new Walk(file, source);
  walk.visit(/** @type {any} */ (parseAst(source, { lang: 'ts' }, file)), null);
  return { points: walk.points, loops: walk.loops, source };
}

/**
 * @param {string} source
 * @param {Pick<Point, 'start' | 'end' | 'text'>} point
 * @returns {string}
 */
export function mutate(source, { start, end, text }) {
  return source.slice(0, start) + text + source.slice(end);
}

/** One walk over the syntax tree of a file. */
class Walk {
  /**
   * @param {string} file
   * @param {string} source
   */
  constructor(file, source) {
    this.file = file;
    this.source = source;
  }

  /** @type {Point[]} */
  points = [];
  /** Offsets at which the bodies of loops begin. */
  /** @type {number[]} */
  loops = [];

  /**
   * @param {any} node
   * @param {any} parent
   */
  visit(node, parent) {
    if (node.type.startsWith('TS') && !TYPED.has(node.type)) {
      return;
    }
    this.mutations(node, parent);
    for (const [key, value] of Object.entries(node)) {
      const named = key === 'key' && !node.computed;
      const declared = key === 'typeAnnotation' || key === 'typeParameters' || key === 'typeArguments' || key === 'returnType';
      if (value !== null && typeof value === 'object' && !named && !declared) {
        for (const child of Array.isArray(value) ? value : [value]) {
          if (child !== null && typeof child?.type === 'string' && typeof child.start === 'number') {
            this.visit(child, node);
          }
        }
      }
    }
  }

  /**
   * @param {any} node
   * @param {any} parent
   */
  mutations(node, parent) {
    if (/^(While|DoWhile|For|ForOf|ForIn)Statement$/.test(node.type) && node.body.type === 'BlockStatement') {
      this.loops.push(node.body.start + 1);
    }
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression':
      case 'AssignmentExpression':
        this.operator(node);
        break;
      case 'UpdateExpression':
        // The step of a loop: it would only run forever.
        if (!(parent?.type === 'ForStatement' && parent.update === node)) {
          this.replace(
            node,
            node.prefix ? node.start : node.end - 2,
            node.prefix ? node.start + 2 : node.end,
            OPERATORS[node.operator][0]
          );
        }
        break;
      case 'UnaryExpression':
        if (node.operator === '!' || node.operator === '-' || node.operator === '~') {
          this.replace(node, node.start, node.start + 1, '');
        }
        break;
      case 'IfStatement':
      case 'ConditionalExpression':
        this.replace(node.test, node.test.start, node.test.end, 'true');
        this.replace(node.test, node.test.start, node.test.end, 'false');
        break;
      case 'WhileStatement':
      case 'ForStatement':
        if (node.test) {
          this.replace(node.test, node.test.start, node.test.end, 'false');
        }
        break;
      case 'Literal':
        this.literal(node);
        break;
      case 'CallExpression':
        this.opposite(node);
        break;
      case 'ExpressionStatement':
        this.statement(node);
        break;
    }
  }

  /** @param {any} node */
  operator(node) {
    const { left, right, operator } = node;
    if (operator === '??') {
      this.replace(node, node.start, node.end, this.source.slice(left.start, left.end));
      return;
    }
    if ((operator === '+' || operator === '+=') && [left, right].some(isText)) {
      return;
    }
    const at = this.source.indexOf(operator, left.end);
    for (const other of OPERATORS[operator] ?? []) {
      this.replace(node, at, at + operator.length, other);
    }
  }

  /** @param {any} node */
  literal(node) {
    if (typeof node.value === 'number') {
      this.replace(node, node.start, node.end, String(node.value === 1 ? 0 : node.value + 1));
    } else if (typeof node.value === 'boolean') {
      this.replace(node, node.start, node.end, String(!node.value));
    }
  }

  /** @param {any} node */
  opposite(node) {
    const { callee } = node;
    if (callee.type === 'MemberExpression' && !callee.computed && Object.hasOwn(OPPOSITES, callee.property.name)) {
      this.replace(node, callee.property.start, callee.property.end, OPPOSITES[callee.property.name]);
    }
  }

  /** @param {any} node */
  statement(node) {
    const { expression } = node;
    const called = expression.type === 'AwaitExpression' ? expression.argument : expression;
    if (['AssignmentExpression', 'CallExpression', 'UpdateExpression'].includes(called.type) && called.callee?.type !== 'Super') {
      this.replace(node, node.start, node.end, ';');
    }
  }

  /**
   * @param {{ type: string, start: number, end: number }} node
   * @param {number} start
   * @param {number} end
   * @param {string} text
   */
  replace(node, start, end, text) {
    const { source, file } = this;
    const begin = source.lastIndexOf('\n', start - 1) + 1;
    const stop = source.indexOf('\n', start);
    const last = stop < 0 ? source.length : stop;
    const replaced = source.slice(start, end);
    if (replaced === text) {
      return;
    }
    const line = source.slice(0, start).split('\n').length;
    const rest = end <= last ? source.slice(end, last) : ' …';
    const to = (source.slice(begin, start) + text + rest).trim();
    this.points.push({
      file,
      line,
      from: source.slice(begin, last).trim(),
      to,
      start,
      end,
      text,
      node: [node.start, node.end],
      statement: node.type === 'ExpressionStatement'
    });
  }
}

/** @param {any} node */
function isText(node) {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}
