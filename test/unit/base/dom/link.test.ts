import { describe, expect, it } from 'vitest';
import { safeLink } from '../../../../src/base/dom/link';

describe('safeLink', () => {
  const base = 'https://hub.example/user/ada/';

  it.each([
    ['http://127.0.0.1:8787/status', 'http://127.0.0.1:8787/status'],
    ['https://cluster.example/status?a=1', 'https://cluster.example/status?a=1'],
    ['/user/ada/proxy/8787/status', 'https://hub.example/user/ada/proxy/8787/status'],
    ['proxy/8787/status', 'https://hub.example/user/ada/proxy/8787/status']
  ])('offers %s', (link, expected) => {
    expect(safeLink(link, base)).toBe(expected);
  });

  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'vbscript:x',
    'blob:https://hub.example/1',
    'http://[bad',
    ''
  ])('does not offer %j', link => {
    expect(safeLink(link, base)).toBeNull();
  });
});
