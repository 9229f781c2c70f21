/** Something that code in a kernel waits for: the test, and not the clock, says when it goes on. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Lab } from './lab';

/** A file in the folder of a test's notebooks that is absent at first. */
export class Gate {
  private readonly file: string;

  /**
   * @param lab - whose notebooks wait for it
   * @param name - of the file; one test may have several
   */
  constructor(lab: Lab, name = 'gate') {
    this.file = join(lab.root, lab.name, name);
  }

  /** A Python statement, of one line, that lasts until it opens. */
  get wait(): string {
    return `while not ${this.isOpen}: __import__('time').sleep(0.05)`;
  }

  /** A Python expression: whether it is open. */
  get isOpen(): string {
    return `__import__('os').path.exists(${JSON.stringify(this.file)})`;
  }

  /** Let everything go on that waits for it. */
  open(): void {
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(this.file, '');
  }
}
