/**
 * Decides whether a header line may be sent by a stage or a handler.
 *
 * A name is a token (RFC 9110 §5.6.2), a value has no control character but the tab (§5.5), and what frames a message or names its
 * connection is the server's alone to say (RFC 9112 §6.1, §9).
 */

/** Headers that a reply may not bring, in lower case, and what to do instead. */
const RESERVED: Readonly<Record<string, string>> = {
  connection: 'a Connection header; leave connections to the server',
  'keep-alive': 'a Keep-Alive header; leave connections to the server',
  trailer: 'a Trailer header; leave the framing of the body to the server',
  'transfer-encoding': 'a Transfer-Encoding header; leave the framing of the body to the server',
  'x-request-id': 'an X-Request-Id header, which every reply has already; leave it out',
};

const NAME = /^[!#$%&'*+.^_`|~\w-]+$/;

/** What was found out about a name, empty for one that is in order. A service uses some twenty names; others are not kept. */
const known = new Map<unknown, string>();
const MAX_KNOWN = 200;

/** What is wrong with a header line and what to do about it, to be read behind "returned"; or undefined. */
export function headerFault(name: unknown, value: unknown): string | undefined {
  let fault = known.get(name);
  if (fault === undefined) {
    fault = nameFault(name);
    if (known.size < MAX_KNOWN) known.set(name, fault);
  }
  if (fault !== '') return fault;
  if (typeof value !== 'string')
    return `the header ${String(name)} with ${article(typeof value)} as its value; write it as a text`;
  return isFieldValue(value)
    ? undefined
    : `the header ${String(name)} with a character that no header can carry: ${quoted(value)}; encode it`;
}

function nameFault(name: unknown): string {
  if (typeof name !== 'string' || !NAME.test(name))
    return `a header with the name ${quoted(name)}; use letters, digits and "-"`;
  const lower = name.toLowerCase();
  return Object.hasOwn(RESERVED, lower) ? RESERVED[lower]! : '';
}

/** A loop: measured, an expression takes three times as long for texts of this length. */
function isFieldValue(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if ((code < 32 && code !== 9) || code === 127 || code > 255) return false;
  }
  return true;
}

/** `a string`, `an object`. */
export const article = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

/** A value as it stands in a message. */
export const quoted = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : `"${String(value)}"`;
