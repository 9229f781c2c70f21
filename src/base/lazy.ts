/**
 * A part of the program that is loaded when it is first needed. All who need it at the same time share one attempt; after
 * a failed attempt the next need tries again.
 */
export class Lazy<T> {
  /** @param load - loads the part, usually by `import()` */
  constructor(private readonly load: () => Promise<T>) {}

  /** The part; `null` until it has been loaded. */
  get ready(): T | null {
    return this.part;
  }

  /**
   * The part, loaded if necessary.
   *
   * @throws what `load` throws: the server is gone, or has another version of the extension. All who share an attempt get
   *   the same error
   */
  get(): Promise<T> {
    this.attempt ??= this.load().then(
      part => {
        this.part = part;
        return part;
      },
      (error: unknown) => {
        this.attempt = null;
        throw error;
      }
    );
    return this.attempt;
  }

  /** Load it when the browser has nothing else to do. A failure is reported to the next caller who needs the part. */
  prefetch(): void {
    if (this.attempt === null) {
      const begin = (): void => void this.get().catch(() => undefined);
      // Safari has no idle callbacks.
      typeof requestIdleCallback === 'function' ? requestIdleCallback(begin) : setTimeout(begin, 200);
    }
  }

  private part: T | null = null;
  private attempt: Promise<T> | null = null;
}
