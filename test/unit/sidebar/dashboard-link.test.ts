// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { dashboardLink } from '../../../src/sidebar/clients/dashboard-link';
import { translate as trans } from '../translate';

const base = 'https://hub.example/user/ada/';

describe('the link to the dashboard', () => {
  it.each([
    ['http://127.0.0.1:8787/status', 'http://127.0.0.1:8787/status'],
    ['/user/ada/proxy/8787/status', 'https://hub.example/user/ada/proxy/8787/status']
  ])('leads from %s to %s', (address, expected) => {
    const link = dashboardLink(address, base, trans, 'demo');
    expect(link?.getAttribute('href')).toBe(expected);
    expect(link?.getAttribute('rel')).toBe('noopener noreferrer');
    expect(link?.getAttribute('aria-label')).toBe('Dashboard demo');
  });

  it.each(['', 'javascript:alert(1)', 'data:text/html,x'])('is not made of %j', address => {
    expect(dashboardLink(address, base, trans)).toBeNull();
  });
});
