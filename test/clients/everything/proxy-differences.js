/**
 * Where Prism judges a request otherwise than the application, each with its reason: it `refuses` a right one, `passes`
 * a wrong one on, `rejects` or `garbles` a right reply, or `ends` with an error of its own. A test fails when it has
 * learnt to judge it, but for those that end it, which are not sent.
 */
const NO_ONE_OF = '2.0 has no oneOf (D68)';
const AS_TEXT = 'it reads every body as a text in UTF-8';
const EMPTY = 'it takes an empty value for none';

const differs = (prism, title, reason, format) => ({ prism, title, reason, ...(format && { format }) });

export const PROXY_DIFFERENCES = [
  differs('ends', '/api/parameters/list/1,-2,3', 'it splits a list in the path twice'),
  differs('ends', '/api/parameters/list/1,x', 'it splits a list in the path twice'),
  differs('ends', 'only the required header', 'it splits a header with a list that was not sent'),
  differs(
    'refuses',
    '/api/parameters/query?colour=red&spaces=1%20-2%2030',
    'it looks for %20 in values that are decoded',
  ),
  differs('refuses', '/api/parameters/query?colour=red&old=1', 'with --errors it refuses what is deprecated', '3.1'),
  differs('refuses', '/api/bodies/numbers {"price":19.99}', 'it divides 19.99 by 0.01 in binary'),
  differs(
    'refuses',
    '/api/bodies/chains {"link":1,"next":{"link":2,"next":null}}',
    'it does not read x-nullable in a schema that refers to itself',
    '2.0',
  ),
  differs(
    'refuses',
    'every field of a form',
    'it refuses a comma in a multipart form, as in one that is coded as a query',
  ),
  ...['rows as CSV', 'rows as bytes'].map((title) => ({
    prism: 'rejects',
    format: '2.0',
    title,
    reason: '2.0 has one schema for all media types of a response, here that of the JSON (D72)',
  })),
  differs('garbles', 'rows as bytes', AS_TEXT, '3.1'),
  differs('garbles', '/api/answers/picture', AS_TEXT),

  ...['a form without its title', 'a form without its file', 'a title that is too long', 'six stars'].map((title) => ({
    prism: 'passes',
    format: '2.0',
    title,
    reason: 'it judges no form with a file, whose type is none of JSON Schema',
  })),
  differs('passes', 'the query count=', EMPTY),
  differs('passes', 'the query text=', EMPTY),
  differs(
    'passes',
    '/api/bodies/texts name: "ünal"',
    '2.0 has no flag u, so its pattern is only said in x-pattern',
    '2.0',
  ),
  differs(
    'passes',
    'a password in place of a token',
    '2.0 has no bearer tokens: any Authorization will do (D71)',
    '2.0',
  ),
  ...[
    '/api/bodies/drawings shapes: [{"kind":"circle","side":1}]',
    '/api/bodies/drawings background: {"kind":"tile","radius":1}',
    '/api/bodies/drawings width: -1',
    '/api/bodies/drawings width: "12"',
    '/api/bodies/drawings width: true',
    '/api/bodies/shapes {"kind":"circle","radius":-1}',
    '/api/bodies/shapes {"kind":"square"}',
  ].map((title) => ({ prism: 'passes', format: '2.0', title, reason: NO_ONE_OF })),
];

/** What Prism makes of a request; undefined where it judges as the application does. */
export const prismVerdict = (format, title) =>
  PROXY_DIFFERENCES.find((one) => one.title === title && (one.format ?? format) === format)?.prism;
