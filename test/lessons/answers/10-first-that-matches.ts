/** Lesson 10, answered: which of several routes answers. */

export const prediction = {
  'GET /books/emma': 'books/{title}',
  // The first match answers. `books/new` would fit better, but it is not tried.
  'GET /books/new': 'books/{title}',
  // A route with another method does not match, so the next routes are tried. The first two take only GET, and
  // `books/{title}/{page}` has one segment too many.
  'POST /books/new': '{area}/new',
  // Literals match without regard to case, and one slash at the end adds no segment.
  'GET /BOOKS/emma/7/': 'books/{title}/{page}',
  // An escaped slash does not separate segments: the path has two, and the title is `emma/7`.
  'GET /books/emma%2F7': 'books/{title}',
  'GET /books': 'none',
};

// Some frameworks sort routes like this automatically. Then the order in the file means nothing, and you must know the
// sorting rules to find the route that answers. Here the list decides, and a warning names each unreachable route.
export const ordered = (templates: readonly string[]): readonly string[] =>
  templates.toSorted((one, other) => (kinds(one) < kinds(other) ? -1 : kinds(one) > kinds(other) ? 1 : 0));

// `books/{title}` becomes `01`, `books/new` `00`, `books` `0`; strings are compared from their beginning, as templates
// are. Different literals count as equal. A comparison that stops at them treats `books/{title}` as equal to
// `maps/{title}`, and `maps/{title}` as equal to `books/new`, but `books/new` as smaller than `books/{title}`. No order
// satisfies all three.
const kinds = (template: string): string =>
  template
    .split('/')
    .map((segment) => (segment.startsWith('{') ? 1 : 0))
    .join('');

// A book with the title `new` has no address if `books/new` comes first: the client cannot say which of the two it
// means. So words and titles should not share a place: use `books/{title}` and `new-book`.
