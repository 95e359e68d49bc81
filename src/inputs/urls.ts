/** Whether a path is an address rather than a file: it begins with a scheme, such as `https://`. */
export const isUrl = (path: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(path);

/** An address as it may be shown: its name, its password and what it asks for may be secret. */
export function shownUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null) return given.replace(/\/\/[^/]*@/, '//').replace(/[?#].*$/s, '');
  return `${url.protocol}//${url.host}${url.pathname}${url.search === '' ? '' : '?…'}`;
}
