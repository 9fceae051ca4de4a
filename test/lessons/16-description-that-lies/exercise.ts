/** Lesson 16: an operation with a wrong description, and the check that finds it. */

import { application, type ErrorLog, notFound, ok, operation, type Plugin, schema } from '../../../src/index.ts';
import { verification } from '../../../src/testing.ts';

// ▼ Your prediction here, 200 or 500: which status does a client get, once the check is there?
export const prediction = {
  'GET /books/1': undefined,
  'GET /books/2': undefined,
  'GET /books/3': undefined,
};

// ▼ Your repairs from here on.
const book = schema('Book', {
  type: 'object',
  required: ['title', 'pages'],
  properties: {
    title: { type: 'string' },
    pages: { type: 'integer', minimum: 1 },
    rating: { type: 'integer', minimum: 1, maximum: 5 },
  },
});

const BOOKS = [
  { title: 'Emma', pages: 474, rating: 5 },
  { title: 'Ulysses', pages: 730, rating: 4.5 },
  { title: 'A scroll that nobody has counted', pages: 0 },
];

export const books: Plugin = {
  name: 'books',
  routes: [
    operation({
      method: 'GET',
      path: 'books/{number:int}',
      responses: { 200: { schema: book }, 404: {} },
      handle({ values }) {
        const found = BOOKS[Number(values.number) - 1];
        return found === undefined ? notFound('This book does not exist') : ok(found);
      },
    }),
  ],
};

// ▼ And first of all here: the check.
export const compose = (plugins: readonly Plugin[], log: ErrorLog) => application([...plugins], { log });
