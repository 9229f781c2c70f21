// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest';
import { Veil } from '../../../../src/views/timeline/selecting/veil';

const SIZE = { width: 600, height: 100 };

function parts(veil: Veil): { readonly shade: string; readonly edge: string; readonly transform: string } {
  const [shade, edge] = [...veil.node.children].map(path => path.getAttribute('d') ?? '');
  return { shade, edge, transform: veil.node.style.transform };
}

describe('The veil over what is not selected', () => {
  it('moves with the picture, and is drawn again where it would no longer reach', () => {
    const veil = new Veil();
    const state = [{}];
    const boxes = vi.fn((first: number) => [{ x: 500 - first, y: 10, width: 60, height: 20 }]);
    const at = (first: number): string => {
      veil.update(state, first, SIZE, 2, () => boxes(first));
      return parts(veil).transform;
    };
    expect(at(400)).toBe('translateX(0px)');
    // 300 columns more than the window on either side, in pixels of half the size.
    expect(parts(veil).shade).toBe('M-150.00 0.00H450.00V50.00H-150.00ZM50.00 5.00H80.00V15.00H50.00Z');
    expect(parts(veil).edge).toBe('M50.00 5.00H80.00V15.00H50.00Z');
    expect(at(404)).toBe('translateX(-2px)');
    expect(at(100)).toBe('translateX(150px)');
    expect(at(700)).toBe('translateX(-150px)');
    expect(boxes).toHaveBeenCalledTimes(1);
    expect(at(701)).toBe('translateX(0px)');
    expect(parts(veil).edge).toBe('M-100.50 5.00H-70.50V15.00H-100.50Z');
    expect(boxes).toHaveBeenCalledTimes(2);
  });

  it('is drawn again for another selection, scale or window, and gone without a selection', () => {
    const veil = new Veil();
    const [selection, scale] = [{}, {}];
    const box = { x: 0, y: 0, width: 10, height: 10 };
    veil.update([selection, scale], 0, SIZE, 1, () => [box]);
    veil.update([selection, {}], 7, SIZE, 1, () => [{ ...box, x: 20 }]);
    expect(parts(veil)).toMatchObject({ edge: 'M20.00 0.00H30.00V10.00H20.00Z', transform: 'translateX(0px)' });
    veil.update([null, scale], 7, SIZE, 1, () => null);
    expect(veil.node.style.display).toBe('none');
    expect(parts(veil)).toMatchObject({ shade: '', edge: '' });
    veil.update([selection, scale], 7, SIZE, 1, () => [box]);
    expect(veil.node.style.display).toBe('');
    expect(parts(veil).edge).toBe('M0.00 0.00H10.00V10.00H0.00Z');
  });
});
