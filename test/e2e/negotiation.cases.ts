/**
 * The media type of the list for an `Accept`. The list is offered as text/plain, application/json and text/json (D8,
 * 4.1 rule 6).
 */
export interface NegotiationCase {
  readonly clause: string;
  /** Several texts are sent as several header lines. */
  readonly accept: string | readonly string[] | undefined;
  readonly gets: 'text/plain; charset=utf-8' | 'application/json' | 'text/json; charset=utf-8';
  readonly because: string;
}

const plain = 'text/plain; charset=utf-8';
const json = 'application/json';
const text = 'text/json; charset=utf-8';

const accepting = (
  clause: string,
  accept: NegotiationCase['accept'],
  gets: NegotiationCase['gets'],
  because: string,
): NegotiationCase => ({ clause, accept, gets, because });

export const NEGOTIATION: readonly NegotiationCase[] = [
  accepting('D8', undefined, json, 'no Accept: the default'),
  accepting('D8', '', json, 'an empty Accept: the default'),
  accepting('D8', '*/*', json, 'a wildcard selects application/json'),
  accepting('D8', 'application/*', json, 'the only type that matches'),
  accepting('D8', 'text/*', plain, 'application/json does not match: the first type'),
  accepting('D8', 'text/plain', plain, 'Swagger UI sends it for the list'),
  accepting('D8', 'text/json', text, 'the type itself'),
  accepting('D8', 'application/json', json, 'the type itself'),
  accepting('D8', 'TEXT/Plain', plain, 'media types ignore case'),
  accepting('D8', 'text/plain, application/json', json, 'a tie'),
  accepting('D8', 'text/json, text/plain', plain, 'a tie without application/json: the first type'),
  accepting('D8', 'text/json, application/json;q=0.9', text, 'the higher quality'),
  accepting('D8', 'text/plain;q=0.2, text/json;q=0.3, application/json;q=0.1', text, 'the highest quality'),
  accepting('D8', 'text/plain; q=0.5, */*; q=0.1', plain, 'the more specific range counts'),
  accepting('D8', '*/*;q=0.9, application/json;q=0.1', plain, 'the more specific range counts, although it is lower'),
  accepting('D8', '*/*, application/json;q=0', plain, 'application/json is excluded'),
  accepting('D8', 'text/*;q=0.5, text/plain;q=0.1', text, 'text/plain has a lower quality'),
  accepting('D8', 'application/json;q=0', json, 'no acceptable type: the default instead of 406'),
  accepting('D8', 'text/html', json, 'no acceptable type: the default instead of 406'),
  accepting('D8', 'text/html, application/xml;q=0.9, */*;q=0.8', json, 'the Accept of browsers'),
  accepting('D8', 'image/png;q=1, text/json;q=0.001', text, 'the only offered type'),
  accepting('D8', ['text/html', 'text/json'], text, 'two lines form one list'),
  accepting('D8', 'text/plain;Q=0.1, text/json;Q=0.2', text, 'the name of the quality ignores case'),
  accepting('D8', 'text/json;q=2, text/plain', plain, 'an element with a malformed quality is skipped'),
  accepting('D8', 'text/json;q=high, text/plain', plain, 'an element with a malformed quality is skipped'),
  ...['1e-1', '0.1234', '.5', '1.5', '1.001', '0x1', '', ' 0.5', '0.5.0', '-0'].map(
    (quality): NegotiationCase => ({
      clause: 'RFC 9110 12.4.2',
      accept: `text/json;q=${quality}, text/plain;q=0.001`,
      gets: plain,
      because: 'a malformed quality',
    }),
  ),
  accepting('RFC 9110 12.4.2', 'text/json;q=1.000, text/plain;q=0.999', text, 'three decimals'),
  accepting('RFC 9110 12.4.2', 'text/json;q=1., text/plain;q=0.', text, 'no decimals after the point'),
  accepting('RFC 9110 5.6.4', 'image/png;x=", text/plain,"', json, 'a comma inside quotes does not separate ranges'),
  accepting(
    'RFC 9110 5.6.4',
    'text/plain;x=";q=0", text/json;q=0.1',
    text,
    'a semicolon inside quotes does not separate parameters',
  ),
  accepting('RFC 9110 5.6.6', 'text/json;q="1, text/plain', json, 'quotes without an end are malformed'),
  accepting('D8', ',, text/plain ,;,', plain, 'empty elements are skipped'),
  accepting('D8', 'plain, /, text/, text/json', text, 'malformed elements are skipped'),
  accepting('RFC 9110 12.5.1', 'text/plain;charset=utf-8', plain, 'the parameter of the offered type'),
  accepting('RFC 9110 12.5.1', 'text/plain; charset="UTF-8"', plain, 'the same parameter, quoted'),
  accepting('RFC 9110 12.5.1', 'text/plain;format=flowed, text/json;q=0.1', text, 'a parameter that no offer has'),
];
