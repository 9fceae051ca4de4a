/**
 * Relative links of a page, made good for an address without its final slash.
 *
 * At `/swagger/ui/` the link `custom.css` is `/swagger/ui/custom.css`; at `/swagger/ui` a browser makes `/swagger/custom.css`
 * of it and shows a bare page. A redirect would have to know the prefix that a proxy took away; `ui/custom.css` need not (D18).
 * Works on any encoding that agrees with ASCII, for only ASCII is looked at and added.
 */

const COMMENT_OR_TAG = /<!--[^]*?(?:-->|$)|<[a-z][^\s/>]*(?:"[^"]*"|'[^']*'|[^"'>])*>/gi;
/** One attribute after the other, so that a value in quotes is passed over whole whatever it says. */
const ATTRIBUTE = /([^\s"'<>/=]+)(\s*=\s*)("[^"]*"|'[^']*'|[^\s"'<>]+)/g;
/** Rooted, on another host, within the page, a query of it, or with a scheme; a backslash is a slash to browsers. */
const NOT_RELATIVE = /^(?:[/\\#?]|[a-z][a-z0-9+.-]*:|$)/i;

/** The page with `prefix` (`ui/`) in front of every relative `src` and `href`; a leading `./` gives way to it. */
export function prefixRelativeLinks(page: Uint8Array, prefix: string): Uint8Array {
  const html = Buffer.from(page).toString('latin1');
  const attribute = (text: string, name: string, equals: string, value: string): string =>
    (/^(?:src|href)$/i.test(name) ? name + equals + prefixed(value, prefix) : text);
  const changed = html.replace(COMMENT_OR_TAG, (tag) => (tag.startsWith('<!--') ? tag : tag.replace(ATTRIBUTE, attribute)));
  return Buffer.from(changed, 'latin1');
}

function prefixed(value: string, prefix: string): string {
  const quote = /^["']/.exec(value)?.[0] ?? '';
  const link = quote === '' ? value : value.slice(1, -1);
  const address = link.trim();
  return NOT_RELATIVE.test(address) ? value : quote + prefix + address.replace(/^(?:\.\/)+/, '') + quote;
}
