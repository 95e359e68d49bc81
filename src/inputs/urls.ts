/** Whether a path is an address rather than a file: it begins with a scheme, such as `https://`. */
export const isUrl = (path: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(path);

/** Returns an address for display, without its login and its query, which may be secret. */
export function shownUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null) return given.replace(/\/\/[^/]*@/, '//').replace(/[?#].*$/s, '');
  return `${url.protocol}//${url.host}${url.pathname}${url.search === '' ? '' : '?…'}`;
}
