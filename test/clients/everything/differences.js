/**
 * What a client cannot do, each with its reason: a `call` that is answered otherwise, a value that its types judge
 * otherwise (`typed`), a type that it does not have (`missing`). A test fails when a client has learnt it.
 */
import { PICTURE, ROW_BYTES } from './journey.js';

const STA = 'swagger-typescript-api';
const OT5 = 'openapi-typescript-5';
const OT7 = 'openapi-typescript-7';

const AS_TEXT = 'reads what is not JSON as a text, so bytes that are none are lost';
const textOf = (bytes) => new TextDecoder().decode(Uint8Array.from(bytes));

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
  { client: OT5, call: 'rowsAsBytes', answered: () => ({ status: 200, data: textOf(ROW_BYTES) }), reason: AS_TEXT },
  {
    client: OT5,
    call: 'picture',
    answered: () => ({ status: 200, data: { ...PICTURE, bytes: textOf(PICTURE.bytes) } }),
    reason: AS_TEXT,
  },
  {
    client: OT5,
    call: 'note',
    answered: () => ({ status: 200, data: 12 }),
    reason: 'reads every text as JSON that can be read so',
  },
  { client: STA, missing: '$Headers', reason: 'has no types for headers; the caller writes them as texts' },
  ...[STA, OT5].flatMap((client) => [
    { client, missing: '$RowsAsCsv', reason: 'has one type for all media types of an answer' },
    { client, missing: '$PictureHeaders', reason: 'has no types for the headers of an answer' },
  ]),
  { client: OT5, typed: '$Picture = 1', reason: 'types a file as unknown' },
  { client: OT7, typed: '$Picture = new Blob()', reason: 'types bytes as a text; its caller says how they are read' },
  { client: STA, format: '2.0', missing: '$Problem', reason: '2.0 has no schema for errors (D14)' },
  { client: OT5, missing: '$Problem', reason: '2.0 has no schema for errors (D14)' },
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
  ...[STA, OT5].flatMap((client) => [
    ...["{ kind: 'circle', radius: 1 }", "{ kind: 'tile', side: 1 }"].map((value) => ({
      client,
      format: '2.0',
      typed: `$Shape = ${value}`,
      reason: '2.0 has no oneOf: a shape is an object with a kind (D68)',
    })),
    { client, format: '2.0', typed: '$Length = true', reason: '2.0 has no oneOf: a length is any value (D68)' },
  ]),
  ...[
    "$Texts['note']",
    "$Texts['mood']",
    "$Numbers['missing']",
    "$Lists['days']",
    "$Drawing['background']",
    "$Chain['next']",
  ].map((type) => ({ client: OT5, typed: `${type} = null`, reason: 'does not know x-nullable' })),
];

/** Those of a client for a format. */
export const differencesOf = (client, format) =>
  DIFFERENCES.filter((one) => one.client === client && (one.format ?? format) === format);
