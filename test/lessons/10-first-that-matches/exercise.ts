/** Lesson 10: which of several routes answers. */

// The routes of the prediction, in this order:
//
//     GET   books/{title}
//     GET   books/new
//     any   books/{title}/{page}
//     any   {area}/new

// ▼ Your prediction here: the template of the route that answers, or 'none'.
export const prediction = {
  'GET /books/emma': undefined,
  'GET /books/new': undefined,
  'POST /books/new': undefined,
  'GET /BOOKS/emma/7/': undefined,
  // `%2F` is an escaped slash.
  'GET /books/emma%2F7': undefined,
  'GET /books': undefined,
};

export function ordered(templates: readonly string[]): readonly string[] {
  // ▼ Your code here.
  return templates;
}
