/** A gate on which code in a kernel waits: the test, not the clock, decides when it continues. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Lab } from './lab';

/** A file in the folder of a test's notebooks that is absent at first. */
export class Gate {
  private readonly file: string;

  /**
   * @param lab - the notebooks that wait for it
   * @param name - of the file; one test may have several
   */
  constructor(lab: Lab, name = 'gate') {
    this.file = join(lab.root, lab.name, name);
  }

  /** A one-line Python statement that blocks until it opens. */
  get wait(): string {
    return `while not ${this.isOpen}: __import__('time').sleep(0.05)`;
  }

  /** A Python expression: whether it is open. */
  get isOpen(): string {
    return `__import__('os').path.exists(${JSON.stringify(this.file)})`;
  }

  /** Release everything that waits for it. */
  open(): void {
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(this.file, '');
  }
}
