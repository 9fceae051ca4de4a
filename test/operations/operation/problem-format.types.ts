/** The types of a problem format with and without a schema. */
import { problemFormat, schema } from '../../../src/index.ts';

export const unchanged = problemFormat({ write: (problem) => problem });
export const shorter = problemFormat({ write: (problem) => ({ ...problem, detail: 'No', errors: undefined }) });
// @ts-expect-error – A problem has a text as its detail.
export const wrong = problemFormat({ write: (problem) => ({ ...problem, detail: 7 }) });
const failure = schema('Failure', { type: 'object', required: ['error'], properties: { error: { type: 'string' } } });
export const other = problemFormat({
  mediaType: 'application/json',
  schema: failure,
  write: ({ detail }) => ({ error: detail }),
});
// @ts-expect-error – The schema needs the member error.
export const lacking = problemFormat({ mediaType: 'application/json', schema: failure, write: (problem) => problem });
