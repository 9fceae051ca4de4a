/** Requests to the application: right ones, and wrong ones that it refuses as a proxy with either document does. */
const UUID = '7f3b1e52-0c6d-4d2a-9a53-1a2b3c4d5e6f';
const KEY = { 'X-API-Key': 'a-key' };
const token = (secret) => ({ Authorization: `Bearer ${secret}` });
const LARGE = 'x'.repeat(5000);

const query = [
  'count=99&big=9007199254740991&level=2&ratio=2.25&on=false&text=a%20%26%20b%3Dc%3F%23%25%2B%2F%C3%BC&code=AB-12',
  'colour=dark%20blue&day=2024-02-29&moment=2024-02-29T12%3A30%3A00.5%2B02%3A00',
  `id=${UUID}&email=anna%2Bx%40mail.example&site=https%3A%2F%2Fsite.example%3A8080%2Fa%2520b%3Fc%3Dd%23f`,
  'repeated=one&repeated=two%20%26%20three&colours=red&colours=dark%20blue',
  'commas=one,two%20%26%20three,%C3%BC&pipes=1%7C-2%7C30',
].join('&');
const headers = {
  'X-Count': '-5',
  'X-Ratio': '0.5',
  'X-On': 'true',
  'X-Colour': 'dark blue',
  'X-Day': '2024-02-29',
  'X-Old': 'a, b; c',
  'X-Numbers': '1,2,3',
  'X-Texts': 'one,two three',
};
const constrained = `/api/parameters/path/${UUID}/-7/5/-9007199254740991/-0.125/true/abcDEF`;
const declared = '/api/parameters/declared/2024-02-29/dark%20blue/one%20two';
const tagged = { same: { 'If-None-Match': '*' }, another: { 'If-Match': '"another"' } };
const circle = { kind: 'circle', radius: 1.5 };
const square = { kind: 'square', side: 2 };

const texts = {
  name: 'Ünal',
  kind: 'texts',
  colour: 'green',
  id: UUID,
  day: '2024-02-29',
  moment: '2024-02-29T12:30:00.5+02:00',
  email: 'anna+x@mail.example',
  site: 'https://site.example/a%20b',
  note: null,
  mood: null,
  password: 'a password',
};
const numbers = {
  small: 10,
  big: 9007199254740991,
  single: 1.5,
  double: 0.5,
  price: 19.5,
  level: 3,
  version: 2,
  missing: null,
  on: true,
};
const lists = {
  texts: ['one', 'two'],
  pairs: [
    [1, 2],
    [3, 4],
  ],
  numbers: [numbers, {}],
  anything: [1, 'two', { three: [] }, null],
  days: null,
  counts: { one: 1, 'a & b': 2 },
  labels: { first: 'a', third: 'c' },
  closed: { one: 1 },
  open: { any: { thing: [true] } },
};
const drawing = {
  shapes: [circle, square, { kind: 'tile', side: 3 }],
  background: square,
  width: '12 m',
  painter: { name: 'Paul', born: '1879-12-18', style: 'Bauhaus' },
};
const tree = {
  name: 'oak',
  children: [{ name: 'branch', children: [{ name: 'twig', children: [] }] }],
  byName: { leaf: { name: 'leaf' } },
};

const right = (id, path, more) => ({ id, path, ...more });
const wrong = (title, path, more) => ({ title, path, ...more });

/**
 * Right requests. What an operation declares beside its success is asked for too: `more` makes a body too large,
 * `doubtful` is what no document forbids and the application refuses, `wrong` and `forbidden` are credentials, `same`
 * and `another` are conditions.
 */
export const RIGHT = [
  right('ApiParametersQueryGet', `/api/parameters/query?${query}`),
  right('ApiParametersQueryGet', '/api/parameters/query?colour=red'),
  right('ApiParametersQueryGet', '/api/parameters/query?colour=red&spaces=1%20-2%2030'),
  right('ApiParametersQueryGet', '/api/parameters/query?colour=red&pipes=1|-2|30'),
  right('ApiParametersQueryGet', '/api/parameters/query?colour=red&old=1'),
  right('ApiParametersHeadersGet', '/api/parameters/headers', { headers: headers }),
  right('ApiParametersHeadersGet', '/api/parameters/headers', {
    headers: { 'X-Colour': 'red' },
    title: 'only the required header',
  }),
  right('ApiParametersPathByIdByCountByLevelByBigByRatioByOnByWordGet', constrained),
  right('ApiParametersDeclaredByDayByColourByTextGet', declared),
  right('ApiParametersListByNumbersGet', '/api/parameters/list/1,-2,3'),
  right('ApiParametersPagesGet', '/api/parameters/pages'),
  right('ApiParametersPagesByPageGet', '/api/parameters/pages/4'),
  right('ApiParametersFilesByPathGet', '/api/parameters/files/one%2Ftwo%20three.txt'),
  right('ApiParametersFilesByPathGet', '/api/parameters/files/one'),
  right('ApiParametersDocumentsByNameByExtensionByPageGet', '/api/parameters/documents/ab.txt/9'),
  right('ApiParametersEverywhereByIdPut', '/api/parameters/everywhere/7?ids=1&ids=2', {
    method: 'PUT',
    headers: { 'X-Name': 'Anna, and Ben' },
    body: { text: 'a' },
    more: { more: LARGE },
    doubtful: { TEXT: 1 },
  }),
  right('ApiBodiesTextsPost', '/api/bodies/texts', { body: texts, more: { note: LARGE } }),
  right('ApiBodiesTextsPost', '/api/bodies/texts', { body: { name: 'A', kind: 'texts' } }),
  right('ApiBodiesNumbersPost', '/api/bodies/numbers', {
    body: numbers,
    more: { more: LARGE },
    doubtful: { SMALL: 'x' },
  }),
  right('ApiBodiesNumbersPost', '/api/bodies/numbers', { body: { price: 19.99 } }),
  right('ApiBodiesListsPost', '/api/bodies/lists', { body: lists, more: { more: LARGE }, doubtful: { TEXTS: 1 } }),
  right('ApiBodiesListsPost', '/api/bodies/lists', { body: {} }),
  right('ApiBodiesDrawingsPost', '/api/bodies/drawings', {
    body: drawing,
    more: { more: LARGE },
    doubtful: { SHAPES: 1 },
  }),
  right('ApiBodiesDrawingsPost', '/api/bodies/drawings', { body: { shapes: [], width: 3 } }),
  right('ApiBodiesDrawingsPost', '/api/bodies/drawings', { body: { shapes: [], background: null } }),
  right('ApiBodiesShapesPost', '/api/bodies/shapes', { body: circle, more: { more: LARGE }, doubtful: { KIND: 1 } }),
  right('ApiBodiesShapesPost', '/api/bodies/shapes', { body: { kind: 'tile', side: 1 } }),
  right('ApiBodiesTreesPost', '/api/bodies/trees', { body: tree, more: { more: LARGE }, doubtful: { NAME: 1 } }),
  right('ApiBodiesChainsPost', '/api/bodies/chains', {
    body: { link: 1, next: null },
    more: { more: LARGE },
    doubtful: { LINK: 'x' },
  }),
  right('ApiBodiesChainsPost', '/api/bodies/chains', { body: { link: 1, next: { link: 2, next: null } } }),
  right('ApiBodiesNamesPost', '/api/bodies/names', { body: ['Anna', 'Ünal'] }),
  { id: 'ApiAnswersRowsGet', path: '/api/answers/rows', ...tagged },
  right('ApiAnswersRowsGet', '/api/answers/rows', { headers: { Accept: 'text/csv' }, title: 'rows as CSV' }),
  right('ApiAnswersRowsGet', '/api/answers/rows', {
    headers: { Accept: 'application/octet-stream' },
    title: 'rows as bytes',
  }),
  { id: 'ApiAnswersPictureGet', path: '/api/answers/picture', ...tagged },
  right('ApiAnswersEventsGet', '/api/answers/events'),
  right('ApiAnswersPlaceGet', '/api/answers/place'),
  right('ApiAnswersNoteGet', '/api/answers/note'),
  right('ApiSecretsPersonGet', '/api/secrets/person', { credentials: token('a-token'), wrong: token('none') }),
  right('ApiSecretsEitherGet', '/api/secrets/either', { credentials: { ...KEY } }),
  right('ApiSecretsEitherGet', '/api/secrets/either', { credentials: token('a-token'), wrong: token('none') }),
  right('ApiSecretsLinkGet', '/api/secrets/link?key=a-key', {
    credentials: {},
    wrongPath: '/api/secrets/link?key=none',
  }),
  right('ApiSecretsPasswordGet', '/api/secrets/password', {
    credentials: { Authorization: 'Basic YW5uYTphIHBhc3N3b3Jk' },
    wrong: { Authorization: 'Basic YTpi' },
  }),
  right('ApiSecretsDelete', '/api/secrets', {
    method: 'DELETE',
    status: 204,
    credentials: token('an-admin-token'),
    wrong: token('none'),
    forbidden: token('a-token'),
  }),
  right('ApiSecretsOpenGet', '/api/secrets/open', { credentials: {}, isOpen: true }),
];

/** A file of a form, as `send` makes one. */
const file = (name, content, type) => ({ name, content, type });
const photo = file('ünal.png', 'pixels', 'image/png');
const upload = (type) => ({ 'Content-Type': type });
const FORM = upload('application/x-www-form-urlencoded');
const OCTETS = upload('application/octet-stream');
const coded = { 'Content-Encoding': 'unheard-of' };

/** Right uploads. `others` are what the operation answers otherwise: a status, and what is sent in place. */
export const UPLOADS = [
  right('ApiUploadsPicturePost', '/api/uploads/picture', {
    text: 'pixels',
    headers: upload('image/png'),
    others: [
      [413, { text: LARGE }],
      [415, { headers: { ...upload('image/png'), ...coded } }],
    ],
  }),
  right('ApiUploadsPicturePost', '/api/uploads/picture', {
    text: 'pixels',
    headers: upload('image/webp'),
    title: 'of a range',
  }),
  right('ApiUploadsStreamPut', '/api/uploads/stream', {
    method: 'PUT',
    text: 'octets',
    headers: OCTETS,
    others: [
      [413, { text: LARGE }],
      [415, { headers: { ...OCTETS, ...coded } }],
    ],
  }),
  right('ApiUploadsPhotosPost', '/api/uploads/photos', {
    form: {
      title: 'Dessau, Törten',
      stars: '4',
      tags: ['a', 'b, c'],
      ids: '1,2',
      photo,
      more: file('a.bin', 'more', 'application/octet-stream'),
    },
    title: 'every field of a form',
  }),
  right('ApiUploadsPhotosPost', '/api/uploads/photos', {
    form: { title: 'a', photo },
    title: 'the required fields of a form',
    others: [
      [400, { form: { title: 'a', photo: file('a.txt', 'text', 'text/plain') } }],
      [413, { form: { title: 'a', photo: file('a.png', LARGE, 'image/png') } }],
      [415, { headers: coded }],
    ],
  }),
  right('ApiUploadsNotesPost', '/api/uploads/notes', {
    text: 'text=a+%C3%BC&stars=4&tags=one&tags=two',
    headers: FORM,
    title: 'a form coded as a query',
    others: [
      [400, { text: 'text=a&TEXT=b' }],
      [413, { text: `text=${LARGE}` }],
      [415, { headers: { ...FORM, ...coded } }],
    ],
  }),
  right('ApiUploadsNotesPost', '/api/uploads/notes', { form: { text: 'a', stars: '4' }, title: 'the same, multipart' }),
];
RIGHT.push(...UPLOADS);

const member = (path, right, wrong) =>
  Object.entries(wrong).flatMap(([name, values]) =>
    values.map((value) => ({
      path,
      body: { ...right, [name]: value },
      title: `${path} ${name}: ${JSON.stringify(value)}`,
    })),
  );
const whole = (path, ...bodies) => bodies.map((body) => ({ path, body, title: `${path} ${JSON.stringify(body)}` }));
const without = (value, name) => Object.fromEntries(Object.entries(value).filter(([one]) => one !== name));

/** Wrong requests: the application refuses each, and so does a proxy with either document. */
export const WRONG = [
  ...[
    'count=0',
    'count=101',
    'count=abc',
    'count=1.5',
    'count=',
    'big=1.5',
    'big=9007199254740993',
    'COUNT=x',
    'level=4',
    'ratio=0',
    'ratio=10',
    'ratio=0.3',
    'ratio=x',
    'on=maybe',
    'text=',
    `text=${'x'.repeat(41)}`,
    'code=ab',
    'day=2023-02-29',
    'moment=2024-02-29',
    'id=7',
    'email=anna',
    'site=nowhere',
    'repeated=a&repeated=b&repeated=c&repeated=d&repeated=e&repeated=f',
    'repeated=a&repeated=a',
    'colours=red&colours=blue',
    'spaces=1%20x',
    'pipes=1%7Cx',
  ].map((part) => ({ path: `/api/parameters/query?colour=red&${part}`, title: `the query ${part}` })),
  wrong('the query without its required parameter', '/api/parameters/query?count=1'),
  wrong('the query colour=blue', '/api/parameters/query?colour=blue'),
  ...Object.entries({
    'X-Count': '1.5',
    'X-Ratio': 'a',
    'X-On': 'maybe',
    'X-Colour': 'blue',
    'X-Day': 'today',
    'X-Numbers': '1,a',
  }).map(([name, value]) => ({
    path: '/api/parameters/headers',
    headers: { ...headers, [name]: value },
    title: `the header ${name}: ${value}`,
  })),
  wrong('without a required header', '/api/parameters/headers', { headers: without(headers, 'X-Colour') }),
  ...[
    constrained.replace(UUID, '7'),
    constrained.replace('-7', 'a'),
    constrained.replace('/5/', '/6/'),
    constrained.replace('true', 'maybe'),
    constrained.replace('abcDEF', 'a'),
    constrained.replace('abcDEF', 'ab3'),
    declared.replace('2024-02-29', 'today'),
    declared.replace('dark%20blue', 'blue'),
    '/api/parameters/list/1,x',
    '/api/parameters/pages/first',
    '/api/parameters/documents/a.txt/1',
    '/api/parameters/documents/ab.t1/1',
    '/api/parameters/documents/ab.txt/0',
    '/api/parameters/documents/ab.txt/10',
    '/api/lists/first/tasks',
    '/api/lists/1/tasks/7',
  ].map((path) => ({ path, title: path })),
  wrong('id 0', '/api/parameters/everywhere/0', { method: 'PUT', headers: { 'X-Name': 'A' }, body: { text: 'a' } }),
  wrong('without X-Name', '/api/parameters/everywhere/1', { method: 'PUT', body: { text: 'a' } }),
  wrong('without text', '/api/parameters/everywhere/1', { method: 'PUT', headers: { 'X-Name': 'A' }, body: {} }),

  ...member('/api/bodies/texts', texts, {
    name: ['', 'ünal', `A${'x'.repeat(20)}`, 1, null],
    kind: ['numbers', null],
    colour: ['blue', null],
    id: ['7'],
    day: ['2023-02-29'],
    moment: ['2024-02-29'],
    email: ['anna'],
    site: ['nowhere'],
    note: [1],
    mood: ['so so'],
    more: ['a'],
  }),
  ...whole('/api/bodies/texts', { name: 'A' }, { kind: 'texts' }, null, [], 'texts'),
  ...member('/api/bodies/numbers', numbers, {
    small: [11, -1, 1.5, '1'],
    big: [1.5],
    double: [0, 1],
    price: [0.005],
    level: [4],
    version: [1],
    missing: ['1'],
    on: ['true'],
  }),
  ...member('/api/bodies/lists', lists, {
    texts: [[], ['a', 'b', 'c', 'd'], ['a', 'a'], [''], 'a'],
    pairs: [[[1]], [[1, 2, 3]], [['a', 'b']]],
    numbers: [[{ small: 11 }]],
    days: [['today']],
    counts: [{ one: -1 }, { one: 'a' }],
    labels: [{ second: 'b' }, { first: 'a', third: 'too long' }, { first: 'a', third: 3 }],
    closed: [{ two: 2 }],
    open: ['a'],
  }),
  ...member('/api/bodies/drawings', drawing, {
    shapes: [[{ kind: 'circle', side: 1 }], [{ kind: 'triangle' }], [{ radius: 1 }], circle],
    background: [{ kind: 'tile', radius: 1 }, 'red'],
    width: [-1, '12', true],
    painter: [{ name: 'Paul' }, { style: 'Bauhaus' }, { name: 'Paul', style: 1 }],
  }),
  ...whole(
    '/api/bodies/shapes',
    { kind: 'circle', radius: -1 },
    { kind: 'square' },
    { kind: 'cube' },
    { side: 1 },
    null,
  ),
  ...member('/api/bodies/trees', tree, {
    children: [[{}], [{ name: 'a', children: [{ name: 1 }] }], { name: 'a' }],
    byName: [{ leaf: {} }],
  }),
  ...whole('/api/bodies/chains', { link: 1, next: 'a' }, { link: 1, next: { link: 'a' } }),
  ...whole('/api/bodies/names', [], [1], { name: 'Anna' }),
  wrong('no body', '/api/bodies/trees', { method: 'POST' }),
  wrong('no JSON', '/api/bodies/trees', { method: 'POST', text: '{"name":' }),
  wrong('another media type', '/api/bodies/trees', { body: tree, headers: { 'Content-Type': 'text/plain' } }),

  wrong('a picture that is a text', '/api/uploads/picture', { text: 'a', headers: upload('text/plain') }),
  wrong('no picture', '/api/uploads/picture', { method: 'POST', headers: upload('image/png') }),
  wrong('a form without its title', '/api/uploads/photos', { form: { photo } }),
  wrong('a form without its file', '/api/uploads/photos', { form: { title: 'a' } }),
  wrong('a title that is too long', '/api/uploads/photos', { form: { title: 'x'.repeat(21), photo } }),
  wrong('six stars', '/api/uploads/photos', { form: { title: 'a', stars: '6', photo } }),
  wrong('JSON in place of a form', '/api/uploads/photos', { body: { title: 'a' } }),
  wrong('a form without its text', '/api/uploads/notes', { text: 'stars=4', headers: FORM }),

  wrong('no key', '/api/parameters/pages', { credentials: {} }),
  wrong('a key in place of a token', '/api/secrets/person', { credentials: KEY }),
  wrong('a password in place of a token', '/api/secrets/person', { credentials: { Authorization: 'Basic YTpi' } }),
  wrong('a key in place of a password', '/api/secrets/password', { credentials: KEY }),
  wrong('neither token nor key', '/api/secrets/either', { credentials: {} }),
  wrong('no key in the query', '/api/secrets/link', { credentials: {} }),
  wrong('no token', '/api/secrets', { method: 'DELETE', credentials: {} }),
];

/** Sends one of these requests. */
export async function send(base, { method, path, headers = {}, body, text, form, credentials = KEY }) {
  const content = text ?? (form && formOf(form)) ?? (body === undefined ? undefined : JSON.stringify(body));
  return fetch(base + path, {
    method: method ?? (content === undefined ? 'GET' : 'POST'),
    headers: {
      Accept: 'application/json, application/problem+json',
      ...(content !== undefined && !form && { 'Content-Type': 'application/json' }),
      ...credentials,
      ...headers,
    },
    ...(content !== undefined && { body: content }),
  });
}

function formOf(fields) {
  const form = new FormData();
  for (const [name, values] of Object.entries(fields))
    for (const value of [values].flat())
      form.append(
        name,
        typeof value === 'string' ? value : new File([value.content], value.name, { type: value.type }),
      );
  return form;
}

/** What these requests are called in a table of differences. */
export const titleOf = ({ title, path, body }) =>
  title ?? (body === undefined ? path : `${path} ${JSON.stringify(body)}`);

/** The request, and what its operation answers otherwise: `[status, request]`. */
export function variantsOf(request) {
  const {
    status = 200,
    body,
    more,
    doubtful,
    wrong,
    wrongPath,
    forbidden,
    headers,
    isOpen,
    same,
    another,
    others = [],
  } = request;
  const added = (given) => ({ ...request, title: undefined, ...given });
  return [
    [status, request],
    ...(isOpen
      ? []
      : [[401, added(wrongPath ? { path: wrongPath } : { credentials: wrong ?? { 'X-API-Key': 'none' } })]]),
    ...(same ? [[304, added({ headers: { ...headers, ...same } })]] : []),
    ...(another ? [[412, added({ headers: { ...headers, ...another } })]] : []),
    ...(forbidden ? [[403, added({ credentials: forbidden })]] : []),
    ...(more
      ? [
          [413, added({ body: { ...body, ...more } })],
          [415, added({ headers: { ...headers, 'Content-Encoding': 'unheard-of' } })],
        ]
      : []),
    ...others.map(([otherwise, given]) => [otherwise, added(given)]),
    ...(doubtful ? [[400, added({ body: { ...body, ...doubtful } })]] : []),
  ];
}
