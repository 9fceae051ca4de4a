/**
 * Relative links of a page, made good for an address without its final slash.
 *
 * At `/swagger/ui/` the link `custom.css` is `/swagger/ui/custom.css`; at `/swagger/ui` a browser makes `/swagger/custom.css`
 * of it and shows a bare page. A redirect would have to know the prefix that a proxy took away; `ui/custom.css` need not (D18).
 * Works on any encoding that agrees with ASCII, for only ASCII is looked at and added. The page is read once from left to right, as
 * the HTML standard's tokenizer reads it.
 */

const COMMENT = '<!--',
  TAG_NAME = /[a-z][^\t\n\f\r />]*/iy;
/** The next attribute of a tag: name, sign, value. A value in quotes is taken whole whatever it says. */
const ATTRIBUTE =
  /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)(?:([\t\n\f\r ]*=[\t\n\f\r ]*)("[^"]*"|'[^']*'|[^\t\n\f\r "'>][^\t\n\f\r >]*)?)?/y;
const END_OF_TAG = /[\t\n\f\r /]*>/y;
/** Elements whose content has no tags. */
const RAW_TEXT = new Set(['script', 'style', 'textarea', 'title']);
/** Rooted, on another host, within the page, a query of it, or with a scheme; a backslash is a slash to browsers. */
const NOT_RELATIVE = /^(?:[/\\#?]|[a-z][a-z0-9+.-]*:|$)/i;

/** The page with `prefix` (`ui/`) in front of every relative `src` and `href`; a leading `./` gives way to it. */
export function prefixRelativeLinks(page: Uint8Array, prefix: string): Uint8Array {
  const html = Buffer.from(page).toString('latin1'),
    pieces: string[] = [];
  let copied = 0;
  for (const { start, end } of linksIn(html)) {
    pieces.push(html.slice(copied, start), prefixed(html.slice(start, end), prefix));
    copied = end;
  }
  return Buffer.from(pieces.join('') + html.slice(copied), 'latin1');
}

/** Where the value of a `src` or `href` stands, quotes included. */
interface Place {
  readonly start: number;
  readonly end: number;
}

function linksIn(html: string): Place[] {
  const links: Place[] = [],
    lowerCase = html.toLowerCase();
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    if (html.startsWith(COMMENT, at)) {
      at = html.indexOf('-->', at + 2);
      if (at < 0) break;
      continue;
    }
    TAG_NAME.lastIndex = at + 1;
    const name = TAG_NAME.exec(html)?.[0].toLowerCase();
    at += 1;
    if (name === undefined) continue;
    const end = readAttributes(html, at + name.length, links);
    // A browser shows nothing of a tag that does not end.
    if (end === undefined) break;
    at = RAW_TEXT.has(name) ? lowerCase.indexOf(`</${name}`, end) : end;
    if (at < 0) break;
  }
  return links;
}

/** Notes the links of a tag whose attributes begin at `at`. Where the tag ends; undefined, and no links, if it does not. */
function readAttributes(html: string, at: number, links: Place[]): number | undefined {
  const found: Place[] = [];
  for (;;) {
    END_OF_TAG.lastIndex = ATTRIBUTE.lastIndex = at;
    if (END_OF_TAG.test(html)) {
      links.push(...found);
      return END_OF_TAG.lastIndex;
    }
    const [, name = '', sign, value = ''] = ATTRIBUTE.exec(html) ?? [];
    if (name === '') return undefined;
    at = ATTRIBUTE.lastIndex;
    if (value !== '' && /^(?:src|href)$/i.test(name)) found.push({ start: at - value.length, end: at });
    // Quotes that do not end.
    if (sign !== undefined && value === '' && /["']/.test(html.charAt(at))) return undefined;
  }
}

function prefixed(value: string, prefix: string): string {
  const quote = /^["']/.exec(value)?.[0] ?? '';
  const link = quote === '' ? value : value.slice(1, -1);
  const address = withoutBlanks(link);
  return NOT_RELATIVE.test(address) ? value : quote + prefix + address.replace(/^(?:\.\/)+/, '') + quote;
}

/** Without the white space of HTML around it. `trim` would take U+00A0 too, which is half of an `à` here. */
function withoutBlanks(text: string): string {
  let start = 0,
    end = text.length;
  while (start < end && BLANKS.includes(text[start]!)) start++;
  while (end > start && BLANKS.includes(text[end - 1]!)) end--;
  return text.slice(start, end);
}

const BLANKS = '\t\n\f\r ';
