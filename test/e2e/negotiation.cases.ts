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

export const NEGOTIATION: readonly NegotiationCase[] = [
  { clause: 'D8', accept: undefined, gets: json, because: 'nothing asked for: the default' },
  { clause: 'D8', accept: '', gets: json, because: 'an empty Accept asks for nothing' },
  { clause: 'D8', accept: '*/*', gets: json, because: 'wildcards go to application/json' },
  { clause: 'D8', accept: 'application/*', gets: json, because: 'the only one that fits' },
  { clause: 'D8', accept: 'text/*', gets: plain, because: 'application/json does not fit: the first listed' },
  { clause: 'D8', accept: 'text/plain', gets: plain, because: 'Swagger UI sends it for the list' },
  { clause: 'D8', accept: 'text/json', gets: text, because: 'really produced' },
  { clause: 'D8', accept: 'application/json', gets: json, because: 'really produced' },
  { clause: 'D8', accept: 'TEXT/Plain', gets: plain, because: 'media types ignore case' },
  { clause: 'D8', accept: 'text/plain, application/json', gets: json, because: 'a tie' },
  {
    clause: 'D8',
    accept: 'text/json, text/plain',
    gets: plain,
    because: 'a tie without application/json: the first listed',
  },
  { clause: 'D8', accept: 'text/json, application/json;q=0.9', gets: text, because: 'the higher quality' },
  {
    clause: 'D8',
    accept: 'text/plain;q=0.2, text/json;q=0.3, application/json;q=0.1',
    gets: text,
    because: 'the highest quality',
  },
  { clause: 'D8', accept: 'text/plain; q=0.5, */*; q=0.1', gets: plain, because: 'the more specific range counts' },
  {
    clause: 'D8',
    accept: '*/*;q=0.9, application/json;q=0.1',
    gets: plain,
    because: 'the more specific range counts, lower as it is',
  },
  { clause: 'D8', accept: '*/*, application/json;q=0', gets: plain, because: 'application/json is refused' },
  {
    clause: 'D8',
    accept: 'text/*;q=0.5, text/plain;q=0.1',
    gets: text,
    because: 'text/plain has the lower quality of its own',
  },
  { clause: 'D8', accept: 'application/json;q=0', gets: json, because: 'nothing acceptable: the default, no 406' },
  { clause: 'D8', accept: 'text/html', gets: json, because: 'nothing acceptable: the default, no 406' },
  { clause: 'D8', accept: 'text/html, application/xml;q=0.9, */*;q=0.8', gets: json, because: 'what browsers send' },
  { clause: 'D8', accept: 'image/png;q=1, text/json;q=0.001', gets: text, because: 'the only one on offer' },
  { clause: 'D8', accept: ['text/html', 'text/json'], gets: text, because: 'two lines are one list' },
  {
    clause: 'D8',
    accept: 'text/plain;Q=0.1, text/json;Q=0.2',
    gets: text,
    because: 'the name of the quality ignores case',
  },
  {
    clause: 'D8',
    accept: 'text/json;q=2, text/plain',
    gets: plain,
    because: 'an element with a malformed quality does not count',
  },
  {
    clause: 'D8',
    accept: 'text/json;q=high, text/plain',
    gets: plain,
    because: 'an element with a malformed quality does not count',
  },
  ...['1e-1', '0.1234', '.5', '1.5', '1.001', '0x1', '', ' 0.5', '0.5.0', '-0'].map(
    (quality): NegotiationCase => ({
      clause: 'RFC 9110 12.4.2',
      accept: `text/json;q=${quality}, text/plain;q=0.001`,
      gets: plain,
      because: 'a malformed quality',
    }),
  ),
  { clause: 'RFC 9110 12.4.2', accept: 'text/json;q=1.000, text/plain;q=0.999', gets: text, because: 'three decimals' },
  {
    clause: 'RFC 9110 12.4.2',
    accept: 'text/json;q=1., text/plain;q=0.',
    gets: text,
    because: 'no decimals behind the point',
  },
  {
    clause: 'RFC 9110 5.6.4',
    accept: 'image/png;x=", text/plain,"',
    gets: json,
    because: 'a comma inside quotes does not part ranges',
  },
  {
    clause: 'RFC 9110 5.6.4',
    accept: 'text/plain;x=";q=0", text/json;q=0.1',
    gets: text,
    because: 'nor does a semicolon part parameters',
  },
  {
    clause: 'RFC 9110 5.6.6',
    accept: 'text/json;q="1, text/plain',
    gets: json,
    because: 'quotes that do not end make no range',
  },
  { clause: 'D8', accept: ',, text/plain ,;,', gets: plain, because: 'empty elements do not count' },
  { clause: 'D8', accept: 'plain, /, text/, text/json', gets: text, because: 'malformed elements do not count' },
  { clause: 'RFC 9110 12.5.1', accept: 'text/plain;charset=utf-8', gets: plain, because: 'the parameter that it has' },
  {
    clause: 'RFC 9110 12.5.1',
    accept: 'text/plain; charset="UTF-8"',
    gets: plain,
    because: 'the same parameter, quoted',
  },
  {
    clause: 'RFC 9110 12.5.1',
    accept: 'text/plain;format=flowed, text/json;q=0.1',
    gets: text,
    because: 'a parameter that no offer has',
  },
];
