/** Lesson 10, answered: which of several routes answers. */

export const prediction = {
  'GET /books/emma': 'books/{title}',
  // The first that matches. `books/new` would fit better, and nobody asks it.
  'GET /books/new': 'books/{title}',
  // A method that does not fit is no match, so the next ones are tried. The first two take GET alone, and
  // `books/{title}/{page}` has a segment too many.
  'POST /books/new': '{area}/new',
  // Literals ignore case, and one slash at the end adds no segment.
  'GET /BOOKS/emma/7/': 'books/{title}/{page}',
  // An escaped slash separates nothing: the path has two segments, and the title is `emma/7`.
  'GET /books/emma%2F7': 'books/{title}',
  'GET /books': 'none',
};

// Some frameworks sort so by themselves. Then the order in the file means nothing, and one has to know the rules of the
// sorting to say who answers. Here the list decides, and a warning names each route that no request can reach.
export const ordered = (templates: readonly string[]): readonly string[] =>
  templates.toSorted((one, other) => (kinds(one) < kinds(other) ? -1 : kinds(one) > kinds(other) ? 1 : 0));

// `books/{title}` becomes `01`, `books/new` `00`, `books` `0`; strings are compared from their beginning, as templates
// are. Literals that differ count as alike. Whoever calls them "undecided" and goes no further finds `books/{title}`
// equal to `maps/{title}`, that equal to `books/new`, and `books/new` smaller than `books/{title}`: no sort can obey.
const kinds = (template: string): string =>
  template
    .split('/')
    .map((segment) => (segment.startsWith('{') ? 1 : 0))
    .join('');

// A book with the title `new` has no address of its own when `books/new` comes first: nothing that a client sends
// says which of the two it means. So words and titles should not share a place: `books/{title}` and `new-book`.
