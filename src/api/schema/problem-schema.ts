/**
 * Declares the schema of problem details (RFC 9457, D10), which every error reply follows.
 *
 * The RFC names the members, so they keep their spelling under every `PropertyNaming`.
 */
import { schema } from './schema.ts';

/** The schema of a problem. */
export const PROBLEM = schema('Problem', {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'requestId'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer', format: 'int32' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    requestId: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: { pointer: { type: 'string' }, detail: { type: 'string' } },
      },
    },
  },
});
