/** A pane as an image. */

/** Pixels per CSS pixel, at least: the image may be enlarged in a document. */
const SHARPNESS = 2;

/**
 * An image of an element as it is displayed, with its canvases, its title and its legend.
 *
 * @returns PNG
 * @throws Error if the browser cannot make one
 */
export async function pictureOf(node: HTMLElement): Promise<Blob> {
  const { domToBlob } = await import('./code');
  return domToBlob(node, {
    type: 'image/png',
    scale: Math.max(SHARPNESS, window.devicePixelRatio || 1),
    backgroundColor: getComputedStyle(node).getPropertyValue('--jp-layout-color1').trim() || null,
    // Fonts of the page would be fetched; the ones that are displayed are there already.
    font: false,
    features: { restoreScrollPosition: true },
    // Texts of the image may be a little wider: it would have scroll bars that are not displayed.
    onCloneEachNode: cloned => {
      if (cloned instanceof HTMLElement && /auto|scroll/.test(cloned.style.overflow)) {
        cloned.style.overflow = 'hidden';
      }
    }
  });
}
