/**
 * The target of a link if a page may offer it: web addresses only, whatever its origin.
 *
 * @param link - for example from Dask's template `distributed.dashboard.link`; without a host, as behind the proxy of a hub,
 *   it is relative to the Jupyter server
 * @param base - absolute URL of the Jupyter server
 * @returns an absolute http or https URL, or `null`
 */
export function safeLink(link: string, base: string): string | null {
  let url: URL;
  try {
    url = new URL(link, base);
  } catch {
    // Not a URL: the caller shows it as text.
    return null;
  }
  return link !== '' && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : null;
}
