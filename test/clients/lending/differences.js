/**
 * What a client cannot do, each with its reason, as in `everything/differences.js`: a `call` that is answered with
 * another `status`, a value that its types judge otherwise, a type that it does not have.
 */

const STA = 'swagger-typescript-api';
const OT5 = 'openapi-typescript-5';
const OT7 = 'openapi-typescript-7';

const DIFFERENCES = [
  {
    client: OT5,
    call: 'change',
    status: 400,
    reason: 'its fetcher takes the member of a body that is named as a value of the path out of the body',
  },
  { client: OT5, call: 'sendPhoto', status: 415, reason: 'its fetcher writes every body as JSON' },
  { client: OT5, typed: '$Photo = 1', reason: 'types a file as unknown' },
  { client: OT5, typed: "$Page['next'] = null", reason: 'does not know x-nullable' },
  { client: OT7, typed: '$Photo = new File([], "a.png")', reason: 'types bytes as a text; its caller makes the form' },
  {
    client: OT7,
    typed: "$Wish = { until: '2026-12-01' }",
    reason: 'takes a member with a default for one that is always there, in what is sent too',
  },
  ...[STA, OT5].map((client) => ({ client, missing: 'Headers', reason: 'has no types for the headers of an answer' })),
  { client: STA, format: '2.0', missing: '$Problem', reason: '2.0 has no schema for errors (D14)' },
  { client: OT5, missing: '$Problem', reason: '2.0 has no schema for errors (D14)' },
];

/** Those of a client for a format. */
export const differencesOf = (client, format) =>
  DIFFERENCES.filter((one) => one.client === client && (one.format ?? format) === format);
