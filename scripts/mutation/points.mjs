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
 * @property {number} probe - number of its statement in {@link withProbes}; -1 where the module itself is being run
 *
 * @typedef {{ at: number, end: number, wrapped: boolean }} Probe
 *   A statement, or an expression that is evaluated later: the body of an arrow function, a field, a default.
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
 * @returns {{ points: Point[], probes: Probe[], source: string }}
 */
export function pointsOf(file, source = readFileSync(join(ROOT, file), 'utf8')) {
  const walk = new Walk(file, source);
  walk.visit(/** @type {any} */ (parseAst(source, { lang: 'ts' }, file)), null);
  return { points: walk.points, probes: walk.probes, source };
}

/**
 * @param {string} source
 * @param {Pick<Point, 'start' | 'end' | 'text'>} point
 * @returns {string}
 */
export function mutate(source, { start, end, text }) {
  return source.slice(0, start) + text + source.slice(end);
}

/**
 * The source with a probe in each statement, which notes that it ran.
 *
 * @param {string} file
 * @param {string} source
 * @param {readonly Probe[]} probes
 * @returns {string}
 */
export function withProbes(file, source, probes) {
  /** @type {[number, string][]} */
  const inserted = probes.flatMap(({ at, end, wrapped }, i) =>
    wrapped
      ? [/** @type {[number, string]} */ ([at, `(__hits[${i}] = 1, `]), /** @type {[number, string]} */ ([end, ')'])]
      : [/** @type {[number, string]} */ ([at, `__hits[${i}] = 1; `])]
  );
  let text = source;
  // From the end on, so that offsets stay valid. At one offset, what ends comes before what begins.
  for (const [at, piece] of inserted.sort(([a, x], [b, y]) => b - a || Number(x === ')') - Number(y === ')'))) {
    text = text.slice(0, at) + piece + text.slice(at);
  }
  const name = JSON.stringify(file);
  return `const __hits = (globalThis.__mutationHits ??= {})[${name}] ??= new Uint8Array(${probes.length}); ${text}`;
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
  /** @type {Probe[]} */
  probes = [];
  /** The statement or expression being walked, -1 outside functions. */
  probe = -1;

  /**
   * @param {any} node
   * @param {any} parent
   */
  visit(node, parent) {
    if (node.type.startsWith('TS') && !TYPED.has(node.type)) {
      return;
    }
    const outer = this.probe;
    this.enter(node, parent);
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
    this.probe = outer;
  }

  /**
   * @param {any} node
   * @param {any} parent
   */
  enter(node, parent) {
    const inBlock = parent?.type === 'BlockStatement' || (parent?.type === 'SwitchCase' && parent.test !== node);
    const later =
      (parent?.type === 'ArrowFunctionExpression' && parent.body === node && node.type !== 'BlockStatement') ||
      (parent?.type === 'PropertyDefinition' && parent.value === node && !parent.static) ||
      (parent?.type === 'AssignmentPattern' && parent.right === node);
    if ((inBlock && !node.directive) || later) {
      this.probe = this.probes.length;
      // The parentheses around an object as the body of an arrow function do not belong to the node.
      this.probes.push({ at: node.start, end: node.end, wrapped: later });
    }
  }

  /**
   * @param {any} node
   * @param {any} parent
   */
  mutations(node, parent) {
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
            node.prefix ? node.start : node.end - 2,
            node.prefix ? node.start + 2 : node.end,
            OPERATORS[node.operator][0]
          );
        }
        break;
      case 'UnaryExpression':
        if (node.operator === '!' || node.operator === '-' || node.operator === '~') {
          this.replace(node.start, node.start + 1, '');
        }
        break;
      case 'IfStatement':
      case 'ConditionalExpression':
        this.replace(node.test.start, node.test.end, 'true');
        this.replace(node.test.start, node.test.end, 'false');
        break;
      case 'WhileStatement':
      case 'ForStatement':
        if (node.test) {
          this.replace(node.test.start, node.test.end, 'false');
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
      this.replace(node.start, node.end, this.source.slice(left.start, left.end));
      return;
    }
    if ((operator === '+' || operator === '+=') && [left, right].some(isText)) {
      return;
    }
    const at = this.source.indexOf(operator, left.end);
    for (const other of OPERATORS[operator] ?? []) {
      this.replace(at, at + operator.length, other);
    }
  }

  /** @param {any} node */
  literal(node) {
    if (typeof node.value === 'number') {
      this.replace(node.start, node.end, String(node.value === 1 ? 0 : node.value + 1));
    } else if (typeof node.value === 'boolean') {
      this.replace(node.start, node.end, String(!node.value));
    }
  }

  /** @param {any} node */
  opposite({ callee }) {
    if (callee.type === 'MemberExpression' && !callee.computed && Object.hasOwn(OPPOSITES, callee.property.name)) {
      this.replace(callee.property.start, callee.property.end, OPPOSITES[callee.property.name]);
    }
  }

  /** @param {any} node */
  statement(node) {
    const { expression } = node;
    const called = expression.type === 'AwaitExpression' ? expression.argument : expression;
    if (['AssignmentExpression', 'CallExpression', 'UpdateExpression'].includes(called.type) && called.callee?.type !== 'Super') {
      this.replace(node.start, node.end, ';');
    }
  }

  /**
   * @param {number} start
   * @param {number} end
   * @param {string} text
   */
  replace(start, end, text) {
    const { source, file, probe } = this;
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
    this.points.push({ file, line, from: source.slice(begin, last).trim(), to, start, end, text, probe });
  }
}

/** @param {any} node */
function isText(node) {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}
