/**
 * Declares the schema of problem details (RFC 9457, D10), which every error reply follows.
 *
 * The RFC names the members, so they keep their spelling under every `PropertyNaming`.
 */
import { schema } from './schema.ts';

const text = { type: 'string' } as const;
const violation = {
  type: 'object',
  required: ['detail'],
  properties: {
    pointer: text,
    parameter: text,
    in: { type: 'string', enum: ['path', 'query', 'header', 'formData'] },
    detail: text,
  },
} as const;

/** The schema of a problem. */
export const PROBLEM = schema('Problem', {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'requestId'],
  properties: {
    type: text,
    title: text,
    status: { type: 'integer', format: 'int32' },
    detail: text,
    instance: text,
    requestId: text,
    errors: { type: 'array', items: violation },
  },
});
