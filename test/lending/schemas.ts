/** The schemas of the house. A loan differs in the two versions, and has the same name in both. */
import { type Infer, type Schema, schema } from '../../src/index.ts';

const USER = schema('User', {
  type: 'object',
  required: ['name', 'department'],
  properties: { name: { type: 'string' }, department: { type: 'string', enum: ['film', 'news'] } },
});
export type User = Infer<typeof USER>;

/** The schema of a page of a list, with the link to the next page. */
export const page = <const S extends Schema>(items: S) =>
  ({
    type: 'object',
    required: ['items'],
    properties: { items: { type: 'array', items }, next: { type: 'string', 'x-nullable': true } },
  }) as const;

export const WISH = schema('Wish', {
  type: 'object',
  required: ['until'],
  properties: {
    until: { type: 'string', format: 'date' },
    purpose: { type: 'string', enum: ['shoot', 'training'], default: 'shoot' },
    remark: { type: 'string', maxLength: 20 },
  },
});

export const LOAN_1 = schema('Loan', {
  type: 'object',
  required: ['until'],
  properties: { until: WISH.properties.until, borrower: { type: 'string' } },
});

/** The borrower is absent for a caller without credentials. */
export const LOAN_2 = schema('Loan', {
  type: 'object',
  required: ['until', 'purpose', 'device'],
  properties: { ...WISH.properties, borrower: USER, device: { type: 'string' } },
});
