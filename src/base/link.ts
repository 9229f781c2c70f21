/**
 * The address to which a link leads, where it is one that a page may offer: web addresses only, whoever wrote it.
 *
 * @param link - such as Dask's template `distributed.dashboard.link` makes it; without a host, as the proxies of a hub
 *   have it, it belongs to the Jupyter server
 * @param base - absolute URL of the Jupyter server
 * @returns an absolute http or https URL, or `null`
 */
export function safeLink(link: string, base: string): string | null {
  let url: URL;
  try {
    url = new URL(link, base);
  } catch {
    // Not a URL at all: the caller shows it as text.
    return null;
  }
  return link !== '' && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : null;
}
