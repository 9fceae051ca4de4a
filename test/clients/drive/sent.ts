/** What the clients send. The compiler holds it to the types that each generator made. */

/** Characters that mean something in a query, in a path and in a header. */
const TEXT = 'a & b=c?#%+/ü';

export const query = {
  count: 99,
  big: Number.MAX_SAFE_INTEGER,
  level: 2 as const,
  ratio: 2.25,
  on: false,
  text: TEXT,
  code: 'AB-12',
  colour: 'dark blue' as const,
  day: '2024-02-29',
  moment: '2024-02-29T12:30:00.5+02:00',
  id: '7f3b1e52-0c6d-4d2a-9a53-1a2b3c4d5e6f',
  email: 'anna+x@mail.example',
  site: 'https://anna:x@site.example:8080/a%20b?c=d&e#f',
  old: '',
  repeated: ['one', 'two & three', 'four, five|six'],
  colours: ['red' as const, 'dark blue' as const],
};
export const commas = { colour: 'red' as const, commas: ['one', 'two & three', 'ü'] };
export const spaces = { colour: 'red' as const, spaces: [1, -2, 30] };
export const pipes = { colour: 'red' as const, pipes: [1, -2, 30] };

export const headers = {
  'X-Count': -5,
  'X-Ratio': 0.5,
  'X-On': true,
  'X-Colour': 'dark blue' as const,
  'X-Day': '2024-02-29',
  'X-Old': 'a, b; c',
  'X-Numbers': [1, 2, 3],
  'X-Texts': ['one', 'two three'],
};
/** As clients send them that do not know headers. */
export const headerTexts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

export const constrained = {
  id: '7f3b1e52-0c6d-4d2a-9a53-1a2b3c4d5e6f',
  count: -7,
  level: 5,
  big: -Number.MAX_SAFE_INTEGER,
  ratio: -0.125,
  on: true,
  word: 'abcDEF',
};
export const declared = { day: '2024-02-29', colour: 'dark blue' as const, text: 'one two' };
export const slash = { ...declared, text: TEXT };
export const list = [1, -2, 3];
export const code = { code: '123456' };
export const file = { path: 'one/two three.txt' };
export const document = { name: 'a.b', extension: 'txt', page: 9 };
export const everywhere = { id: 7, ids: [1, 2], name: 'Anna, and Ben', text: TEXT };

export const texts = {
  name: 'Ünal',
  kind: 'texts' as const,
  colour: 'green' as const,
  id: query.id,
  day: query.day,
  moment: query.moment,
  email: query.email,
  site: query.site,
  note: 'a note',
  mood: 'good' as const,
};
export const password = 'a password';
export const nulls = { ...texts, note: null, mood: null };

export const numbers = {
  small: 10,
  big: -Number.MAX_SAFE_INTEGER,
  single: 1.5,
  double: 0.1,
  price: 19.99,
  level: 3 as const,
  version: 2 as const,
  missing: 0,
  on: true,
};
export const lists = {
  texts: ['one', 'two'],
  pairs: [
    [1, 2],
    [3, 4],
  ],
  numbers: [numbers, { price: 0, on: false, missing: 1 }],
  anything: [1, 'two', { three: [] }, [4]],
  days: ['2024-02-29'],
  counts: { one: 1, 'a & b': 2 },
  labels: { first: 'a', third: 'c' },
  closed: { one: 1 },
  open: { any: { thing: [true] } },
};

export const circle = { kind: 'circle' as const, radius: 1.5 };
export const square = { kind: 'square' as const, side: 2 };
const tile = { kind: 'tile' as const, side: 3 };
export const drawing = {
  shapes: [circle, square, tile],
  background: square,
  width: '12 m',
  painter: { name: 'Paul', born: '1879-12-18', style: 'Bauhaus' },
  caption: null,
};

export const tree = {
  name: 'oak',
  children: [{ name: 'branch', children: [{ name: 'twig', children: [] }] }],
  byName: { leaf: { name: 'leaf', byName: { vein: { name: 'vein' } } } },
};

export const chain = { link: 1, next: { link: 2, next: { link: 3 } } };

export const csv = { Accept: 'text/csv' };
export const bytes = { Accept: 'application/octet-stream' };
export const anyTag = { 'If-None-Match': '*' };
export const anotherTag = { 'If-Match': '"another"' };

export const names = ['Anna', 'Ünal'];

export const task = { text: 'Walk the dog', due: '2024-02-29', isDone: false };
/** `anna:a password` */
export const basic = 'Basic YW5uYTphIHBhc3N3b3Jk';

export const doneTask = { text: 'Walk the cat', isDone: true };
