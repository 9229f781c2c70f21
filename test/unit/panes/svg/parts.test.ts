// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { Colours, gradients, split } from '../../../../src/panes/exports/svg/colours';
import { fitted, fontAttributes, inked } from '../../../../src/panes/exports/svg/font';
import { escaped, figure, SvgOutput } from '../../../../src/panes/exports/svg/output';
import { tracePixels } from '../../../../src/panes/exports/svg/trace';
import { randomOf } from '../../run/synthetic';
import { parsed } from './drawn-svg';

test('any text is valid XML, and is read as it was but for what XML forbids', () => {
  const allowed = '<a b="c">&amp; \t\u007f\ud83d\ude00\u2028]]>';
  const forbidden = '\u0000\u0008\u000b\u001f\ud83d\ufffe\uffff\ude00';
  const out = new SvgOutput();
  out.add('text', { title: allowed + forbidden }, escaped(allowed + forbidden));
  const node = parsed(out.markup).firstElementChild;
  const read = allowed + '\ufffd'.repeat(forbidden.length);
  expect(node?.textContent).toBe(read);
  // In values a tab is a space.
  expect(node?.getAttribute('title')?.replace('\t', ' ')).toBe(read.replace('\t', ' '));
});

test('numbers have no more digits than are seen, and definitions are written once', () => {
  expect([1 / 3, 12, -0.004, 1e-9, 1234.5678].map(figure)).toEqual(['0.33', '12', '0', '0', '1234.57']);
  const out = new SvgOutput();
  expect(out.clip(1, 2, 3, -4)).toBe(out.clip(1, 2, 3, 0));
  expect(out.aside().clip(0, 0, 1, 1)).not.toBe(out.clip(1, 2, 3, 0));
  const ids = [...parsed(out.definitions).querySelectorAll('clipPath')].map(({ id }) => id);
  expect(ids).toEqual(['dp0', 'dp1']);
});

test('pixels are traced as boxes that cover each of them once, as high and wide as they are alike', () => {
  const random = randomOf(11);
  for (let round = 0; round < 40; round++) {
    const [stride, rows] = [5 + Math.floor(random() * 30), 1 + Math.floor(random() * 20)];
    const pixels = new Uint32Array(stride * rows);
    // Colours that come again, a transparent one, and rows that are like those before them.
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < stride; x++) {
        const above = y > 0 && random() < 0.8 ? pixels[(y - 1) * stride + x] : null;
        pixels[y * stride + x] = above ?? [0, 0x00ffffff, 0xff0000ff, 0x80ff0000][Math.floor(random() * 4)];
      }
    }
    const area = { left: 2, top: Math.min(1, rows - 1), width: stride - 3, height: rows - Math.min(1, rows - 1) };
    const painted = new Uint32Array(stride * rows);
    tracePixels(pixels, stride, area, (colour, x, y, width, height) => {
      for (let at = 0; at < width * height; at++) {
        const index = (y + Math.floor(at / width)) * stride + x + (at % width);
        expect(painted[index]).toBe(0);
        painted[index] = colour;
      }
    });
    const inside = pixels.map((colour, i) => {
      const [x, y] = [i % stride, Math.floor(i / stride)];
      return x >= area.left && x < area.left + area.width && y >= area.top && colour >>> 24 > 0 ? colour : 0;
    });
    expect([...painted]).toEqual([...inside]);
  }
  let boxes = 0;
  tracePixels(new Uint32Array(100).fill(0xff123456), 10, { left: 0, top: 0, width: 10, height: 10 }, () => boxes++);
  expect(boxes).toBe(1);
});

test('a text that does not fit ends with an ellipsis', () => {
  const width = (text: string): number => 10 * [...text].length;
  expect(fitted('increment', 90, width)).toBe('increment');
  expect(fitted('increment', 89, width)).toBe('increme…');
  expect(fitted('😀😀😀', 20, width)).toBe('😀…');
  expect(fitted('increment', 9, width)).toBe('');
});

test('spaces are where they were, whether a program keeps or drops them', () => {
  const width = (text: string): number => 10 * text.length;
  expect(inked('  · ', width)).toEqual({ text: '·', before: 20, width: 10 });
  expect(inked('a  b c\td', width)).toEqual({ text: 'a\u00a0\u00a0b c\u00a0d', before: 0, width: 80 });
  expect(inked(' \n', width)).toMatchObject({ text: '' });
});

test('fonts of canvases are attributes', () => {
  expect(fontAttributes('600 11px "Segoe UI", sans-serif')).toEqual({
    'font-family': '"Segoe UI", sans-serif',
    'font-size': 11,
    'font-weight': '600',
    'font-style': undefined
  });
  expect(fontAttributes('italic 400 12.5px x')).toMatchObject({ 'font-style': 'italic', 'font-size': 12.5 });
  expect(fontAttributes('caption')).toEqual({ style: 'font: caption' });
});

test('the patterns of swatches are gradients and dots', () => {
  expect(split('a(b, c(d, e)), f', ',')).toEqual(['a(b, c(d, e))', 'f']);
  const out = new SvgOutput();
  const box = { x: 10, y: 20, width: 12, height: 10 } as DOMRect;
  const paint = (image: string, size = 'auto'): readonly string[] => gradients(image, size, box, new Colours(), out);
  const clear = 'rgba(0, 0, 0, 0)';
  const bars = paint(
    `repeating-linear-gradient(90deg, ${clear} 0px, ${clear} 4px, rgba(0, 0, 0, 0.45) 4px, rgba(0, 0, 0, 0.45) 6px)`
  );
  const cross = paint(
    `linear-gradient(45deg, ${clear} 43%, rgb(1, 2, 3) 43% 57%, ${clear} 57%), linear-gradient(-45deg, ${clear} 43%, rgb(1, 2, 3) 43%)`
  );
  const dots = paint('radial-gradient(rgba(255, 255, 255, 0.85) 0.9px, rgba(0, 0, 0, 0) 1.1px)', '4px 4px');
  expect(paint('url("x.png"), conic-gradient(red, blue)')).toEqual([]);
  expect([bars.length, cross.length, dots.length]).toEqual([1, 2, 1]);
  const root = parsed(out.definitions);
  const named = (reference: string): Element | null => root.querySelector(`#${/#(\w+)/.exec(reference)?.[1]}`);
  const line = named(bars[0]);
  expect(['x1', 'x2', 'spreadMethod'].map(name => line?.getAttribute(name))).toEqual(['10', '16', 'repeat']);
  expect([...(line?.children ?? [])].map(stop => [stop.getAttribute('offset'), stop.getAttribute('stop-opacity')])).toEqual([
    ['0', '0'],
    ['0.67', '0'],
    ['0.67', '0.45'],
    ['1', '0.45']
  ]);
  expect([...(named(cross[1])?.children ?? [])].map(stop => stop.getAttribute('offset'))).toEqual([
    '0.43',
    '0.43',
    '0.57',
    '0.57'
  ]);
  expect(named(dots[0])?.firstElementChild?.getAttribute('r')).toBe('0.9');
});
