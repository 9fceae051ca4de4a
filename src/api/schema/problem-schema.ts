/**
 * Problem details as a schema (RFC 9457, D10): what 3.1 tells of every error, and what every error is held to.
 *
 * Its members are named by the RFC, whatever the casing of the service's own payloads.
 */
import { schema } from './schema.ts';

/** A problem answer of this service. */
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
