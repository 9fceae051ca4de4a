/** Creates replies with pages, and the policy that tells a browser what a page may load. */

import { withDefaults } from '../../core/http/headers/header-lines.ts';
import { makeReply, type ReplyOptions } from '../../core/http/replies.ts';
import { InvalidReply, type Reply } from '../../core/http/reply.ts';
import { article, assertOptions, quoted } from '../../core/options/assert-options.ts';

/**
 * Sources of a policy as CSP spells them: an origin such as `https://images.example`, a scheme such as `data:`, a hash
 * such as `'sha256-…'` or a keyword such as `'unsafe-inline'`, both with their quotes.
 */
type Sources = readonly string[];

interface HtmlOptions<Status extends number = number> extends ReplyOptions<Status> {
  /** Further sources of scripts. A page may load the scripts of its service, and has no inline scripts. */
  readonly scripts?: Sources | undefined;
  /** Further sources of styles. A page may load the styles of its service, and has no inline styles. */
  readonly styles?: Sources | undefined;
  /** Further sources of images. */
  readonly images?: Sources | undefined;
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
  const { scripts, styles, images, status = 200, headers } = options;
  const directives = [
    "default-src 'self'",
    ...sourcesOf('script-src', scripts),
    ...sourcesOf('style-src', styles),
    ...sourcesOf('img-src', images),
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  ];
  const policy = ['Content-Security-Policy', directives.join('; '), ...FORM_POLICY];
  const lines = ['Content-Type', 'text/html; charset=utf-8', ...policy];
  return makeReply(status, withDefaults(lines, headers), body) as Reply<Status>;
}

/**
 * With `no-referrer`, browsers would send the forms of the page with `Origin: null`. A service that gets no
 * `Sec-Fetch-Site`, for example over HTTP, could not distinguish them from the forms of other sites.
 */
const FORM_POLICY: readonly string[] = ['Referrer-Policy', 'same-origin'];

/** Matches the keywords and hashes of CSP without their quotes, which a browser would read as the name of a host. */
const UNQUOTED = /^(?:self|none|unsafe-|strict-dynamic|wasm-|nonce-|sha(?:256|384|512)-)/;

function sourcesOf(directive: string, sources: Sources | undefined): readonly string[] {
  if (sources === undefined) return [];
  if (!Array.isArray(sources))
    throw new InvalidReply(`Cannot make a page with ${quoted(sources)} as its ${directive}; give a list of sources`);
  for (const source of sources) {
    const remedy = UNQUOTED.test(source)
      ? `write it with quotes: "'${source}'"`
      : 'give one source of CSP in each text';
    if (UNQUOTED.test(source) || !/^[!-+\--:<-~]+$/.test(source))
      throw new InvalidReply(`Cannot make a page with ${quoted(source)} in its ${directive}; ${remedy}`);
  }
  return [[directive, "'self'", ...sources].join(' ')];
}
