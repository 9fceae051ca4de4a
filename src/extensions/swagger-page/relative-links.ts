/**
 * Rewrites the relative links of a page for an address without a trailing slash: at `/swagger/ui` the link `custom.css`
 * leads to `/swagger/custom.css`, and with the prefix `ui/` to the right file. A redirect to the other address would
 * need the path prefix that a proxy has removed (D18). The page is read once, as the tokenizer of the HTML standard
 * does, in any encoding that extends ASCII.
 */

/** The beginning of a comment, or of a tag with its name. */
const OPENING = /<(?:!--|([a-z][^\t\n\f\r />]*))/gi;
/** The end of a tag, or its next attribute: the name, the equals sign, and the value with its quotes. */
const NEXT =
  /[\t\n\f\r /]*(?:(>)|([^\t\n\f\r />][^\t\n\f\r />=]*)(?:([\t\n\f\r ]*=[\t\n\f\r ]*)("[^"]*"|'[^']*'|[^\t\n\f\r "'>][^\t\n\f\r >]*)?)?)/y;
/** Elements whose content is text without tags. */
const RAW_TEXT = /^(?:script|style|textarea|title)$/;
/** A link with a leading slash, with a scheme, of a query or a fragment alone, or empty. Browsers read `\` as `/`. */
const NOT_RELATIVE = /^(?:[/\\#?]|[a-z][a-z0-9+.-]*:|$)/i;
/** A text without the white space of HTML around it. `String.trim` would also remove U+00A0, a byte of `à` here. */
const TRIMMED = /[^\t\n\f\r ](?:.*[^\t\n\f\r ])?/s;

/** Where the value of a `src` or `href` stands, with its quotes. */
type ValueRange = readonly [start: number, end: number];

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

function linksIn(html: string): ValueRange[] {
  const links: ValueRange[] = [];
  const lowerCase = html.toLowerCase();
  for (let at = 0; at >= 0; ) {
    OPENING.lastIndex = at;
    const opening = OPENING.exec(html);
    if (opening === null) break;
    const name = opening[1]?.toLowerCase();
    at = name === undefined ? html.indexOf('-->', opening.index + 2) : readAttributes(html, OPENING.lastIndex, links);
    if (at >= 0 && name !== undefined && RAW_TEXT.test(name)) at = lowerCase.indexOf(`</${name}`, at);
  }
  return links;
}

/** Adds the links of the tag whose attributes begin at `at`. Returns its end; -1 if it has none: browsers ignore it. */
function readAttributes(html: string, at: number, links: ValueRange[]): number {
  const found: ValueRange[] = [];
  for (NEXT.lastIndex = at; ; ) {
    const [, end, name, sign, value] = NEXT.exec(html) ?? [];
    if (end !== undefined) {
      links.push(...found);
      return NEXT.lastIndex;
    }
    const isUnfinishedQuote = sign !== undefined && value === undefined && /["']/.test(html.charAt(NEXT.lastIndex));
    if (name === undefined || isUnfinishedQuote) return -1;
    if (value !== undefined && /^(?:src|href)$/i.test(name))
      found.push([NEXT.lastIndex - value.length, NEXT.lastIndex]);
  }
}

function prefixed(value: string, prefix: string): string {
  const quote = /^["']/.exec(value)?.[0] ?? '';
  const link = quote === '' ? value : value.slice(1, -1);
  const address = TRIMMED.exec(link)?.[0] ?? '';
  return NOT_RELATIVE.test(address) ? value : quote + prefix + address.replace(/^(?:\.\/)+/, '') + quote;
}
