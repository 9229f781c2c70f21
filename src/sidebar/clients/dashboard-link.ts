import { element } from '../../base/element';
import { safeLink } from '../../base/dom/link';
import type { Translate } from '../../plot/plot';

/**
 * The link to Dask's own dashboard; only web addresses become links, since the text comes from a cluster.
 *
 * @param address - as reported by Dask; behind the proxy of a hub it is a path (`/user/ada/proxy/8787/status`)
 * @param base - absolute URL of the Jupyter server
 * @param name - its owner, if not clear from the context
 */
export function dashboardLink(address: string, base: string, trans: Translate, name = ''): HTMLElement | null {
  const href = safeLink(address, base);
  if (href === null) {
    return null;
  }
  const label = trans.__('Dashboard');
  return element('a', {
    class: 'dp-Button',
    text: label,
    title: href,
    attributes: { href, target: '_blank', rel: 'noopener noreferrer', ...(name ? { 'aria-label': `${label} ${name}` } : {}) }
  });
}
