/** Compiles a Vega-Lite spec to a running Vega view; the only module that imports Vega. */
import { expressionInterpreter } from 'vega-interpreter';
import { type Loader, type LoggerInterface, parse, View, type Spec } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { Json } from '../../plot/plot';

/** Whether expressions may be compiled to functions: a strict Content Security Policy (report files) forbids it. */
const evaluates = ((): boolean => {
  try {
    return typeof new Function('') === 'function';
  } catch {
    // Forbidden by the policy: an expected result, not an error.
    return false;
  }
})();

/** A spec loads nothing: a plot can neither load nor link to data, images or pages. */
const closed: Loader = {
  load: refuse,
  http: refuse,
  file: refuse,
  sanitize: refuse
};

function refuse(): Promise<never> {
  return Promise.reject(new Error('Plots load nothing.'));
}

/** Vega reports errors to its logger instead of throwing: keep the first one for the caller. */
class Faults implements LoggerInterface {
  level(): number;
  level(level: number): this;
  level(level?: number): number | this {
    return level === undefined ? 1 : this;
  }

  error(...args: readonly unknown[]): this {
    const [first] = args;
    this.first ??= first instanceof Error ? first : new Error(args.map(String).join(' '));
    return this;
  }

  warn(...args: readonly unknown[]): this {
    console.warn('dask-panes:', ...args);
    return this;
  }

  info(): this {
    return this;
  }

  debug(): this {
    return this;
  }

  first: Error | null = null;
}

/** A running chart. */
export interface Chart {
  readonly view: View;
  /** The first error since the last call; cleared by the call. */
  takeFault(): Error | null;
}

/**
 * Compile a spec and start a view in an element.
 *
 * @param container - parent of the canvas; `null` runs without drawing, for tests and pictures
 * @param interpret - avoid `new Function`; by default only if the page forbids it
 * @param scale - CSS pixels per unit of the spec: texts and their space scale with the interface font
 * @throws Error if the spec is invalid
 */
export function startChart(spec: Json, container: HTMLElement | null, interpret = !evaluates, scale = 1): Chart {
  const faults = new Faults();
  // The spec is ours and plain data; Vega-Lite's compiler checks it.
  const { spec: compiled } = compile(spec as unknown as TopLevelSpec, { logger: faults });
  const view = new View(parse(compiled as Spec, {}, { ast: interpret }), {
    renderer: container === null ? 'none' : 'canvas',
    loader: closed,
    logger: faults,
    tooltip: () => undefined,
    ...(interpret ? { expr: expressionInterpreter } : {})
  });
  if (container !== null) {
    enlarge(view, container, scale);
    view.initialize(container);
    view.resize();
  }
  return {
    view,
    takeFault: () => {
      const fault = faults.first;
      faults.first = null;
      return fault;
    }
  };
}

/**
 * Draw each unit of a view in `scale` CSS pixels. Vega applies the transform to pointer positions, but sizes the canvas
 * for the untransformed view; set the number of pixels that it actually covers.
 */
function enlarge(view: View, container: HTMLElement, scale: number): void {
  container.style.transform = scale === 1 ? '' : `scale(${scale})`;
  if (scale === 1) {
    return;
  }
  view.addResizeListener((width, height) => {
    const canvas = container.querySelector('canvas');
    const context = canvas?.getContext('2d');
    if (canvas && context) {
      const ratio = scale * (window.devicePixelRatio || 1);
      canvas.width = width * ratio;
      canvas.height = height * ratio;
      // Vega hit-tests shapes in canvas pixels.
      Object.assign(context, { pixelRatio: ratio });
      const [left, top] = view.origin();
      context.setTransform(ratio, 0, 0, ratio, ratio * left, ratio * top);
    }
  });
}
