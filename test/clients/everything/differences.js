/**
 * What a client cannot do, each with its reason: a `call` that is answered otherwise, a value that its types judge
 * otherwise (`typed`), a type that it does not have (`missing`). A test fails when a client has learnt it.
 */
const STA = 'swagger-typescript-api';
const OT7 = 'openapi-typescript-7';

/** The table: the client, its format where only one of them is concerned, what it cannot do, and why. */
export const DIFFERENCES = [
  {
    client: STA,
    call: 'slash',
    answered: (sent) => ({ status: 200, data: { ...sent.slash, text: 'a & b=c' } }),
    reason: 'writes a value of the path as it is, so its "?" begins the query',
  },
  {
    client: STA,
    call: 'link',
    answered: () => ({ status: 401 }),
    reason: 'its securityWorker gives headers, and no key for the query',
  },
  { client: STA, missing: '$Headers', reason: 'has no types for headers; the caller writes them as texts' },
  { client: STA, missing: '$RowsAsCsv', reason: 'has one type for all media types of an answer' },
  { client: STA, missing: '$PictureHeaders', reason: 'has no types for the headers of an answer' },
  { client: OT7, typed: '$Picture = new Blob()', reason: 'types bytes as a text; its caller says how they are read' },
  { client: STA, format: '2.0', missing: '$Problem', reason: '2.0 has no schema for errors (D14)' },
  {
    client: STA,
    typed: "$Lists['labels'] = { first: 'a', other: 1 }",
    reason: 'types further members beside declared ones as any',
  },
  { client: STA, format: '3.1', typed: "$Texts['mood'] = null", reason: 'leaves the null of an enum out' },
  {
    client: 'swagger-client',
    call: 'query',
    answered: ({ query: { old: _, ...others } }) => ({ status: 200, data: others }),
    reason: 'leaves a parameter out whose text is empty',
  },
  ...["{ kind: 'circle', radius: 1 }", "{ kind: 'tile', side: 1 }"].map((value) => ({
    client: STA,
    format: '2.0',
    typed: `$Shape = ${value}`,
    reason: '2.0 has no oneOf: a shape is an object with a kind (D68)',
  })),
  { client: STA, format: '2.0', typed: '$Length = true', reason: '2.0 has no oneOf: a length is any value (D68)' },
];

/** Those of a client for a format. */
export const differencesOf = (client, format) =>
  DIFFERENCES.filter((one) => one.client === client && (one.format ?? format) === format);
