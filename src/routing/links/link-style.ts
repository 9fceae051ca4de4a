/** The last touch to a link, which is the same for all routes of a collection. */

/** What is done to the path of a link; its query stays as it is. */
export interface Finish {
  /** The path of a link is in lower case, its query is not. */
  readonly lowercaseUrls?: boolean;
  /** The path of a link ends in a slash. */
  readonly appendTrailingSlash?: boolean;
}

/** The link as it goes out. */
export function finished(link: string, { lowercaseUrls, appendTrailingSlash }: Finish): string {
  if (!lowercaseUrls && !appendTrailingSlash) return link;
  const mark = link.indexOf('?');
  let path = mark < 0 ? link : link.slice(0, mark);
  if (lowercaseUrls) path = path.toLowerCase();
  if (appendTrailingSlash && !path.endsWith('/')) path += '/';
  return mark < 0 ? path : path + link.slice(mark);
}
