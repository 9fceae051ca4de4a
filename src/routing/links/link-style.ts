/** Applies the style of a collection to its links: lower case and a slash at the end. */

/** Changes the path of a link; its query stays as it is. */
export interface LinkStyle {
  readonly lowercaseUrls?: boolean;
  readonly appendTrailingSlash?: boolean;
}

/** Returns the link in this style. */
export function applyLinkStyle(link: string, { lowercaseUrls, appendTrailingSlash }: LinkStyle): string {
  if (!lowercaseUrls && !appendTrailingSlash) return link;
  const mark = link.indexOf('?');
  let path = mark < 0 ? link : link.slice(0, mark);
  if (lowercaseUrls) path = path.toLowerCase();
  if (appendTrailingSlash && !path.endsWith('/')) path += '/';
  return mark < 0 ? path : path + link.slice(mark);
}
