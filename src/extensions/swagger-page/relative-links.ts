/**
 * Rewrites the relative links of a page for an address without a trailing slash.
 *
 * At `/swagger/ui/` the link `custom.css` leads to `/swagger/ui/custom.css`, but at `/swagger/ui` to
 * `/swagger/custom.css`. With the prefix `ui/` it is right. A redirect to the other address would need the path prefix
 * that a proxy has removed (D18). The page is read once, as the tokenizer of the HTML standard reads it. It can have
 * any encoding that extends ASCII, since only ASCII characters are compared and inserted.
 */

const TAG_NAME = /[a-z][^\t\n\f\r />]*/iy;
/** The next attribute of a tag: its name, its equals sign and its value, with the quotes. */
const ATTRIBUTE =
  /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)(?:([\t\n\f\r ]*=[\t\n\f\r ]*)("[^"]*"|'[^']*'|[^\t\n\f\r "'>][^\t\n\f\r >]*)?)?/y;
const END_OF_TAG = /[\t\n\f\r /]*>/y;
/** Elements whose content is text without tags. */
const RAW_TEXT = new Set(['script', 'style', 'textarea', 'title']);
/** A link with a leading slash, with a scheme, of a query or a fragment alone, or empty. Browsers read `\` as `/`. */
const NOT_RELATIVE = /^(?:[/\\#?]|[a-z][a-z0-9+.-]*:|$)/i;

/** The page with `prefix`, such as `ui/`, in front of every relative `src` and `href`. */
export function prefixRelativeLinks(page: Uint8Array, prefix: string): Uint8Array {
  const html = Buffer.from(page).toString('latin1');
  const pieces: string[] = [];
  let copied = 0;
  for (const [start, end] of linksIn(html)) {
    pieces.push(html.slice(copied, start), prefixed(html.slice(start, end), prefix));
    copied = end;
  }
  return Buffer.from(pieces.join('') + html.slice(copied), 'latin1');
}

/** Where the value of a `src` or `href` stands, with its quotes. */
type ValueRange = readonly [start: number, end: number];

function linksIn(html: string): ValueRange[] {
  const links: ValueRange[] = [];
  const lowerCase = html.toLowerCase();
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      at = html.indexOf('-->', at + 2);
      if (at < 0) break;
      continue;
    }
    TAG_NAME.lastIndex = at + 1;
    const name = TAG_NAME.exec(html)?.[0].toLowerCase();
    at += 1;
    if (name === undefined) continue;
    const end = readAttributes(html, at + name.length, links);
    // Browsers ignore an unfinished tag.
    if (end === undefined) break;
    at = RAW_TEXT.has(name) ? lowerCase.indexOf(`</${name}`, end) : end;
    if (at < 0) break;
  }
  return links;
}

/** Adds the links of the tag whose attributes begin at `at`, and returns its end; undefined for an unfinished tag. */
function readAttributes(html: string, at: number, links: ValueRange[]): number | undefined {
  const found: ValueRange[] = [];
  for (;;) {
    END_OF_TAG.lastIndex = ATTRIBUTE.lastIndex = at;
    if (END_OF_TAG.test(html)) {
      links.push(...found);
      return END_OF_TAG.lastIndex;
    }
    const [, name = '', sign, value = ''] = ATTRIBUTE.exec(html) ?? [];
    if (name === '') return undefined;
    at = ATTRIBUTE.lastIndex;
    if (value !== '' && /^(?:src|href)$/i.test(name)) found.push([at - value.length, at]);
    // An unfinished quoted value.
    if (sign !== undefined && value === '' && /["']/.test(html.charAt(at))) return undefined;
  }
}

function prefixed(value: string, prefix: string): string {
  const quote = /^["']/.exec(value)?.[0] ?? '';
  const link = quote === '' ? value : value.slice(1, -1);
  const address = trimmed(link);
  return NOT_RELATIVE.test(address) ? value : quote + prefix + address.replace(/^(?:\.\/)+/, '') + quote;
}

/** Trims the white space of HTML. `String.trim` would also remove U+00A0, which is a byte of `à` here. */
function trimmed(text: string): string {
  const whiteSpace = '\t\n\f\r ';
  let start = 0;
  let end = text.length;
  while (start < end && whiteSpace.includes(text[start]!)) start++;
  while (end > start && whiteSpace.includes(text[end - 1]!)) end--;
  return text.slice(start, end);
}
