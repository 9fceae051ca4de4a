/**
 * What a client gets that accepts this of the list, which is offered as text/plain, application/json and text/json (D8,
 * 4.1 rule 6).
 */
export interface NegotiationCase {
  readonly clause: string;
  /** Several are sent as several header lines. */
  readonly accept: string | readonly string[] | undefined;
  readonly gets: 'text/plain; charset=utf-8' | 'application/json' | 'text/json; charset=utf-8';
  readonly because: string;
}

const plain = 'text/plain; charset=utf-8';
const json = 'application/json';
const text = 'text/json; charset=utf-8';

const asked = (
  clause: string,
  accept: NegotiationCase['accept'],
  gets: NegotiationCase['gets'],
  because: string,
): NegotiationCase => ({ clause, accept, gets, because });

export const NEGOTIATION: readonly NegotiationCase[] = [
  asked('D8', undefined, json, 'nothing asked for: the default'),
  asked('D8', '', json, 'an empty Accept asks for nothing'),
  asked('D8', '*/*', json, 'wildcards go to application/json'),
  asked('D8', 'application/*', json, 'the only one that fits'),
  asked('D8', 'text/*', plain, 'application/json does not fit: the first listed'),
  asked('D8', 'text/plain', plain, 'Swagger UI sends it for the list'),
  asked('D8', 'text/json', text, 'really produced'),
  asked('D8', 'application/json', json, 'really produced'),
  asked('D8', 'TEXT/Plain', plain, 'media types ignore case'),
  asked('D8', 'text/plain, application/json', json, 'a tie'),
  asked('D8', 'text/json, text/plain', plain, 'a tie without application/json: the first listed'),
  asked('D8', 'text/json, application/json;q=0.9', text, 'the higher quality'),
  asked('D8', 'text/plain;q=0.2, text/json;q=0.3, application/json;q=0.1', text, 'the highest quality'),
  asked('D8', 'text/plain; q=0.5, */*; q=0.1', plain, 'the more specific range counts'),
  asked('D8', '*/*;q=0.9, application/json;q=0.1', plain, 'the more specific range counts, lower as it is'),
  asked('D8', '*/*, application/json;q=0', plain, 'application/json is refused'),
  asked('D8', 'text/*;q=0.5, text/plain;q=0.1', text, 'text/plain has the lower quality of its own'),
  asked('D8', 'application/json;q=0', json, 'nothing acceptable: the default, no 406'),
  asked('D8', 'text/html', json, 'nothing acceptable: the default, no 406'),
  asked('D8', 'text/html, application/xml;q=0.9, */*;q=0.8', json, 'what browsers send'),
  asked('D8', 'image/png;q=1, text/json;q=0.001', text, 'the only one on offer'),
  asked('D8', ['text/html', 'text/json'], text, 'two lines are one list'),
  asked('D8', 'text/plain;Q=0.1, text/json;Q=0.2', text, 'the name of the quality ignores case'),
  asked('D8', 'text/json;q=2, text/plain', plain, 'an element with a malformed quality does not count'),
  asked('D8', 'text/json;q=high, text/plain', plain, 'an element with a malformed quality does not count'),
  ...['1e-1', '0.1234', '.5', '1.5', '1.001', '0x1', '', ' 0.5', '0.5.0', '-0'].map(
    (quality): NegotiationCase => ({
      clause: 'RFC 9110 12.4.2',
      accept: `text/json;q=${quality}, text/plain;q=0.001`,
      gets: plain,
      because: 'a malformed quality',
    }),
  ),
  asked('RFC 9110 12.4.2', 'text/json;q=1.000, text/plain;q=0.999', text, 'three decimals'),
  asked('RFC 9110 12.4.2', 'text/json;q=1., text/plain;q=0.', text, 'no decimals behind the point'),
  asked('RFC 9110 5.6.4', 'image/png;x=", text/plain,"', json, 'a comma inside quotes does not part ranges'),
  asked('RFC 9110 5.6.4', 'text/plain;x=";q=0", text/json;q=0.1', text, 'nor does a semicolon part parameters'),
  asked('RFC 9110 5.6.6', 'text/json;q="1, text/plain', json, 'quotes that do not end make no range'),
  asked('D8', ',, text/plain ,;,', plain, 'empty elements do not count'),
  asked('D8', 'plain, /, text/, text/json', text, 'malformed elements do not count'),
  asked('RFC 9110 12.5.1', 'text/plain;charset=utf-8', plain, 'the parameter that it has'),
  asked('RFC 9110 12.5.1', 'text/plain; charset="UTF-8"', plain, 'the same parameter, quoted'),
  asked('RFC 9110 12.5.1', 'text/plain;format=flowed, text/json;q=0.1', text, 'a parameter that no offer has'),
];
