/** What panes that were closed have left in the memory of the page. */
import type { Page } from '@playwright/test';

/** What something still refers to after the garbage of the page was collected. */
export interface Leftovers {
  /** Panes, open ones included. */
  readonly panes: number;
  /** Frames around pictures that are in no document. */
  readonly frames: number;
}

/**
 * Count the panes and their frames that the page still holds.
 *
 * @param page - of JupyterLab
 * @param prototype - an expression for the prototype of panes
 */
export async function leftovers(page: Page, prototype: string): Promise<Leftovers> {
  const session = await page.context().newCDPSession(page);
  const count = async (expression: string, counted: string): Promise<number> => {
    const { result } = await session.send('Runtime.evaluate', { expression });
    const { objects } = await session.send('Runtime.queryObjects', { prototypeObjectId: result.objectId ?? '' });
    const found = await session.send('Runtime.callFunctionOn', {
      ...{ objectId: objects.objectId ?? '', returnByValue: true },
      functionDeclaration: `function () { return this.filter(${counted}).length; }`
    });
    if (found.exceptionDetails !== undefined) {
      throw new Error(found.exceptionDetails.exception?.description ?? found.exceptionDetails.text);
    }
    return found.result.value as number;
  };
  try {
    await session.send('HeapProfiler.collectGarbage');
    return {
      panes: await count(prototype, '() => true'),
      // Among the elements are prototypes, whose attributes cannot be read.
      frames: await count(
        'HTMLElement.prototype',
        'each => !Object.hasOwn(each, "constructor") && !each.isConnected && each.className === "dp-Pane-frame"'
      )
    };
  } finally {
    await session.detach();
  }
}
