/** Whether a right click is for the browser's own menu: with Shift, as everywhere in JupyterLab. */
export function wantsBrowserMenu({ shiftKey }: MouseEvent): boolean {
  return shiftKey;
}
