/**
 * Where Prism judges a request otherwise than the application, each with its reason: it `refuses` a right one, `passes`
 * a wrong one on, `rejects` or `garbles` a right reply, or `ends` with an error of its own. A test fails when it has
 * learnt to judge it, but for those that end it, which are not sent.
 */
const NO_ONE_OF = '2.0 has no oneOf (D68)';
const AS_TEXT = 'it reads every body as a text in UTF-8';
const EMPTY = 'it takes an empty value for none';

export const PROXY_DIFFERENCES = [
  { prism: 'ends', title: '/api/parameters/list/1,-2,3', reason: 'it splits a list in the path twice' },
  { prism: 'ends', title: '/api/parameters/list/1,x', reason: 'it splits a list in the path twice' },
  { prism: 'ends', title: 'only the required header', reason: 'it splits a header with a list that was not sent' },
  {
    prism: 'refuses',
    title: '/api/parameters/query?colour=red&spaces=1%20-2%2030',
    reason: 'it looks for %20 in values that are decoded',
  },
  {
    prism: 'refuses',
    format: '3.1',
    title: '/api/parameters/query?colour=red&old=1',
    reason: 'with --errors it refuses what is deprecated',
  },
  { prism: 'refuses', title: '/api/bodies/numbers {"price":19.99}', reason: 'it divides 19.99 by 0.01 in binary' },
  {
    prism: 'refuses',
    format: '2.0',
    title: '/api/bodies/chains {"link":1,"next":{"link":2,"next":null}}',
    reason: 'it does not read x-nullable in a schema that refers to itself',
  },
  {
    prism: 'refuses',
    title: 'every field of a form',
    reason: 'it refuses a comma in a multipart form, as in one that is coded as a query',
  },
  ...['rows as CSV', 'rows as bytes'].map((title) => ({
    prism: 'rejects',
    format: '2.0',
    title,
    reason: '2.0 has one schema for all media types of a response, here that of the JSON (D72)',
  })),
  { prism: 'garbles', format: '3.1', title: 'rows as bytes', reason: AS_TEXT },
  { prism: 'garbles', title: '/api/answers/picture', reason: AS_TEXT },

  ...['a form without its title', 'a form without its file', 'a title that is too long', 'six stars'].map((title) => ({
    prism: 'passes',
    format: '2.0',
    title,
    reason: 'it judges no form with a file, whose type is none of JSON Schema',
  })),
  { prism: 'passes', title: 'the query count=', reason: EMPTY },
  { prism: 'passes', title: 'the query text=', reason: EMPTY },
  {
    prism: 'passes',
    format: '2.0',
    title: '/api/bodies/texts name: "ünal"',
    reason: '2.0 has no flag u, so its pattern is only said in x-pattern',
  },
  {
    prism: 'passes',
    format: '2.0',
    title: 'a password in place of a token',
    reason: '2.0 has no bearer tokens: any Authorization will do (D71)',
  },
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
