/** Lesson 16, answered: an operation with a wrong description, and the check that finds it. */

import { application, type ErrorLog, notFound, ok, operation, type Plugin, schema } from '../../../src/index.ts';
import { verification } from '../../../src/testing.ts';

export const prediction = {
  'GET /books/1': 200,
  // "/rating": Expected an integer, not 4.5.
  'GET /books/2': 500,
  // "/pages": Expected at least 1.
  'GET /books/3': 500,
};

const book = schema('Book', {
  type: 'object',
  // The promise is weaker than before: `pages` may be absent. If it is there, it is still a number of pages.
  required: ['title'],
  properties: {
    title: { type: 'string' },
    pages: { type: 'integer', minimum: 1 },
    // The value was right and the description wrong.
    rating: { type: 'number', minimum: 1, maximum: 5 },
  },
});

const BOOKS = [
  { title: 'Emma', pages: 474, rating: 5 },
  { title: 'Ulysses', pages: 730, rating: 4.5 },
  // The description was right and the value wrong: 0 meant "unknown", which no client can guess.
  { title: 'A scroll that nobody has counted' },
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

// For tests: it checks each reply. It wraps the routes of operations, at any place in the list.
export const compose = (plugins: readonly Plugin[], log: ErrorLog) =>
  application([verification(), ...plugins], { log });
