/** A canvas context that writes down what is drawn, for jsdom and node, which have none. */

/** One call, with the state of the context at that time. */
export interface Call {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly state: Readonly<Record<string, unknown>>;
}

/** Width of a character, for `measureText`. */
export const GLYPH = 6;

/** The calls so far, and the context to draw with. Gradients, patterns and images are empty objects. */
export class RecordedCanvas {
  readonly calls: Call[] = [];

  readonly context = new Proxy<Record<string, unknown>>(
    { globalAlpha: 1, lineWidth: 1 },
    {
      get: (state, name) => {
        if (typeof name !== 'string' || name in state) {
          return Reflect.get(state, name);
        }
        return (...args: unknown[]) => {
          this.calls.push({ name, args, state: { ...state } });
          return this.answer(name, args, state);
        };
      },
      set: (state, name, value) => Reflect.set(state, name, value)
    }
  ) as unknown as CanvasRenderingContext2D;

  /** All calls of a method. */
  of(name: string): readonly Call[] {
    return this.calls.filter(call => call.name === name);
  }

  private answer(name: string, args: readonly unknown[], state: Record<string, unknown>): unknown {
    switch (name) {
      case 'save':
        this.saved.push({ ...state });
        return undefined;
      case 'restore':
        Object.assign(state, this.saved.pop());
        return undefined;
      case 'measureText':
        return { width: GLYPH * String(args[0]).length };
      case 'createImageData':
        return {
          ...{ width: Number(args[0]), height: Number(args[1]) },
          data: new Uint8ClampedArray(4 * Number(args[0]) * Number(args[1]))
        };
      case 'createPattern':
        return null;
      default:
        return undefined;
    }
  }

  private readonly saved: Record<string, unknown>[] = [];
}
