/** Creates replies with pages, and the policy that tells a browser what a page may load. */

import { flat, lineValue, withDefaults } from '../../core/http/headers/header-lines.ts';
import { makeReply, type ReplyOptions } from '../../core/http/replies.ts';
import { InvalidReply, type Reply } from '../../core/http/reply.ts';
import { article, assertOptions, quoted } from '../../core/options/assert-options.ts';

/**
 * CSP spells sources so: an origin such as `https://images.example`, a scheme such as `data:`, a hash such as
 * `'sha256-…'` or a keyword such as `'unsafe-inline'`, both with their quotes.
 */
interface HtmlOptions<Status extends number = number> extends ReplyOptions<Status> {
  /** Further sources of scripts. A page may load the scripts of its service, and has no inline scripts. */
  readonly scripts?: readonly string[] | undefined;
  /** Further sources of styles. A page may load the styles of its service, and has no inline styles. */
  readonly styles?: readonly string[] | undefined;
  /** Further sources of images. */
  readonly images?: readonly string[] | undefined;
}

/**
 * Returns a reply with a page. Its `Content-Security-Policy` allows files and forms of the same origin only, and no
 * frame around the page; the options add sources. The status is 200 by default. A text in the page that comes from a
 * user must be escaped: `&`, `<` and `"` would be read as HTML.
 *
 *     html(`<link rel=stylesheet href=/style.css><img src="data:image/png;base64,…">`, { images: ['data:'] });
 *
 * Throws an `InvalidReply` for a body that is not a text, a source that CSP cannot read, and for a status or a header
 * that cannot be sent.
 */
export function html<const Status extends number = 200>(
  body: string,
  options: HtmlOptions<Status> = {},
): Reply<NoInfer<Status>> {
  assertOptions('make a page', options, ['scripts', 'styles', 'images', 'status', 'headers']);
  if (typeof body !== 'string') throw new InvalidReply(`Cannot make html(…) of ${article(typeof body)}; give a text`);
  const { scripts, styles, images, status = 200, headers = [] } = options;
  if (lineValue(flat(headers), 'Content-Security-Policy') !== undefined && (scripts ?? styles ?? images) !== undefined)
    throw new InvalidReply('Cannot make a page with sources and a Content-Security-Policy; leave out one of the two');
  const directives = [
    "default-src 'self'",
    ...sourcesOf('script-src', scripts),
    ...sourcesOf('style-src', styles),
    ...sourcesOf('img-src', images),
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  ];
  const lines = ['Content-Type', 'text/html; charset=utf-8', 'Content-Security-Policy', directives.join('; ')];
  // With `no-referrer`, browsers would send the forms of the page with `Origin: null`. A service that gets no
  // `Sec-Fetch-Site`, for example over HTTP, could not distinguish them from the forms of other sites.
  lines.push('Referrer-Policy', 'same-origin');
  return makeReply(status, withDefaults(lines, headers), body) as Reply<Status>;
}

/** Matches an origin or a host; a scheme; a keyword, a hash or a nonce with its quotes. A host has a dot or a scheme. */
const SOURCES = [
  /^(?:(?:https?|wss?):\/\/(?:\*\.)?|\*\.|(?=[^/]*\.))[\w.-]+(?::(?:\d+|\*))?(?:\/[!#-+\--:=@-~]*)?$/i,
  /^[a-z][a-z\d+.-]*:$/i,
  /^'(?:self|unsafe-(?:inline|eval|hashes)|strict-dynamic|wasm-unsafe-eval|(?:nonce|sha(?:256|384|512))-[\w+/-]+=*)'$/i,
];

function sourcesOf(directive: string, sources: readonly string[] | undefined): readonly string[] {
  if (sources === undefined) return [];
  const wrong = Array.isArray(sources)
    ? sources.map(String).find((source) => !SOURCES.some((form) => form.test(source)))
    : sources;
  if (wrong !== undefined)
    throw new InvalidReply(
      `Cannot make a page with the source ${quoted(wrong)} in its ${directive}; give a list of origins such as ` +
        `https://a.example, schemes such as data:, and keywords and hashes with quotes such as 'unsafe-inline'`,
    );
  return [[directive, "'self'", ...sources].join(' ')];
}
