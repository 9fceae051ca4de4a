/**
 * The operations on items, clause by clause. Every row is tested with a new service and its one item.
 *
 * `{key}` in a target, a header, a body or an expectation is the key of that item, `{etag}` its ETag, and `{list}` the
 * ETag of the list as JSON.
 */
import type { Question } from '../support/ask.ts';
import type { Row } from '../support/table.ts';

export interface ItemCase extends Row {
  readonly settings?: {
    readonly propertyNaming?: 'camelCase' | 'PascalCase';
    readonly model?: 'base' | 'annotated';
    readonly basePath?: string;
    readonly maxBody?: number;
  };
  readonly ask: Question;
  readonly status: number;
  /** Expected headers; null for a header that must be missing. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** True if the answer to a PUT must have an ETag. */
  readonly tagged?: boolean;
  /** The body as JSON; `{new}` is any key except the first one. By default the answer has no body, or any problem. */
  readonly body?: unknown;
  /** The pointers in the `errors` of a problem, in order. */
  readonly pointers?: readonly string[];
  /** The items of the list afterwards: `[name, isComplete]`. By default the list must not change. */
  readonly list?: readonly (readonly [string | null, boolean])[];
}

type More = Omit<ItemCase, 'clause' | 'question' | 'answer' | 'ask' | 'status'>;
/** The request, the answer and further expectations. The answer begins with the status. */
type CaseRow = readonly [question: string, answer: string, ask: Question, more?: More];

const cases = (clause: string, rows: readonly CaseRow[]): readonly ItemCase[] =>
  rows.map(([question, answer, ask, more]) => ({
    clause,
    question,
    answer,
    ask,
    status: Number.parseInt(answer, 10),
    ...more,
  }));

const JSON_TYPE = { 'Content-Type': 'application/json' };
const post = (body: Question['body'], headers: Question['headers'] = {}, target = '/api/todo'): Question => ({
  method: 'POST',
  target,
  headers: { ...JSON_TYPE, ...headers },
  ...(body !== undefined && { body }),
});
const put = (body: Question['body'], headers: Question['headers'] = {}, id = '/{key}'): Question => ({
  ...post(body, headers, `/api/todo${id}`),
  method: 'PUT',
});
const patch = (body: Question['body'], headers: Question['headers'] = {}, id = '/{key}'): Question => ({
  ...put(body, headers, id),
  method: 'PATCH',
});
const get = (target: string, headers: Question['headers'] = {}): Question => ({ target, headers });
const remove = (headers: Question['headers'] = {}, id = '{key}'): Question => ({
  method: 'DELETE',
  target: `/api/todo/${id}`,
  headers,
});

const seed = ['Item1', false] as const;
const item = { key: '{key}', name: 'Item1', isComplete: false };
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
const whole = '{"key":"{key}","name":"New","isComplete":true}';
const added = (name: string | null, isComplete = false) => ({
  body: { key: '{new}', name, isComplete },
  list: [seed, [name, isComplete] as const],
});
/** The list has one item afterwards. */
const becomes = (name: string | null, isComplete = false) => ({ list: [[name, isComplete] as const] });
const at = (...pointers: readonly string[]) => ({ pointers });
const NEW = '{"name":"New"}';
const EMPTY_HEAD = { 'content-length': null, 'content-type': null };

export const OPERATIONS: readonly ItemCase[] = [
  ...cases('4.1 GET list, D12', [
    [
      'the list of a new service',
      '200, one item named Item1, not complete',
      get('/api/todo'),
      {
        headers: {
          'content-type': 'application/json',
          vary: 'Accept',
          'cache-control': 'no-cache',
        },
        body: [item],
      },
    ],
  ]),
  ...cases('4.1.7, 4.3.3, D2, D3, D21', [
    ['/API/Todo', '200, paths ignore case', get('/API/Todo'), { body: [item] }],
    ['/api/todo/ with a trailing slash', '200, the list', get('/api/todo/'), { body: [item] }],
    ['a malformed query', '200, a malformed query is accepted', get('/api/todo?%&a=%zz&=%FF'), { body: [item] }],
    [
      'GET with a body',
      '200, the body is ignored',
      { target: '/api/todo', headers: { 'Content-Type': 'text/plain' }, body: 'not { JSON' },
      { body: [item] },
    ],
    [
      'GET with a chunked body',
      '200, the body is ignored',
      { target: '/api/todo', body: ['not ', '{ JSON'] },
      { body: [item] },
    ],
  ]),
  ...cases('4.1 GET item', [
    [
      'the item by its key',
      '200, the item, its ETag and no Vary',
      get('/api/todo/{key}'),
      {
        headers: { 'content-type': 'application/json', vary: null, 'cache-control': 'no-cache', etag: '{etag}' },
        body: item,
      },
    ],
    ['an unknown id', '404', get('/api/todo/nope')],
  ]),
  ...cases('4.3, D2, D21', [
    ['the key in upper case', '404, ids are compared exactly', get('/api/todo/{KEY}')],
    ['the key in upper case on a path in upper case', '404', get('/API/TODO/{KEY}')],
    ['/API/TODO/ and the key', '200', get('/API/TODO/{key}'), { body: item }],
    ['the key, every character percent-encoded', '200, decoded once', get('/api/todo/{%key}'), { body: item }],
    ['the key percent-encoded twice', '404, decoded once', get('/api/todo/{%25key}')],
    ['the key with a trailing slash', '200', get('/api/todo/{key}/'), { body: item }],
    ['the key and two trailing slashes', '404', get('/api/todo/{key}//')],
    ['a slash inside the id, encoded', '404 of the operation: no item has the id "a/b"', get('/api/todo/a%2Fb')],
  ]),
  ...cases('7', [
    ['an id of __proto__', '404', get('/api/todo/__proto__')],
    ['an id of constructor', '404', get('/api/todo/constructor')],
    ['a path below an item', '404', get('/api/todo/{key}/more')],
  ]),

  ...cases('4.1.1, D5, D7', [
    [
      'POST of an item',
      '201, the item under a new key, its Location and ETag',
      post('{"name":"New","isComplete":true}'),
      { headers: { 'content-type': 'application/json', location: '/api/todo/{new}' }, ...added('New', true) },
    ],
    ['POST with a key of the client', '201, a new key', post('{"key":"mine","name":"New"}'), added('New')],
    ['POST with the key of another item', '201, a new key', post('{"key":"{key}","name":"New"}'), added('New')],
    ['POST of {}', '201, name null and not complete', post('{}'), added(null)],
    [
      'POST to /API/TODO/',
      '201, a Location in lower case without the slash',
      post(NEW, {}, '/API/TODO/'),
      { headers: { location: '/api/todo/{new}' }, ...added('New') },
    ],
  ]),

  ...cases('4.1.2, D3, D5', [
    ['PUT of the whole item', '204, replaced', put(whole), { headers: EMPTY_HEAD, ...becomes('New', true) }],
    ['PUT of only the key', '204, other members get defaults', put('{"key":"{key}"}'), becomes(null)],
    ['PUT to the encoded id', '204, decoded comparison', put(whole, {}, '/{%key}'), becomes('New', true)],
    ['PUT without a key', '400', put(NEW), at('/key')],
    ['PUT with the key null', '400', put('{"key":null,"name":"New"}'), at('/key')],
    ['PUT with another key', '400', put('{"key":"other","name":"New"}'), at('/key')],
    ['PUT with the key in upper case', '400, exact comparison', put('{"key":"{KEY}","name":"New"}'), at('/key')],
    ['PUT to an unknown id, with this id as the key', '404', put('{"key":"nope","name":"New"}', {}, '/nope')],
  ]),
  ...cases(
    'D3, the pointer has the name as it was sent',
    (
      [
        ['KEY', '{"KEY":"other","name":"New"}', '/KEY'],
        ['Key: null', '{"Key":null,"name":"New"}', '/Key'],
        ['key and KEY', '{"key":"{key}","KEY":"other"}', '/KEY'],
        ['KEY and key', '{"KEY":"{key}","key":"other"}', '/key'],
        ['KEY, key and KEY', '{"KEY":"a","key":"other","KEY":"{key}"}', '/key'],
        ['k and an escape', '{"k\\u0045y":"other"}', '/kEy'],
        ['a Kelvin sign, which is not a k', '{"\u212aey":"other"}', '/key'],
        ['KEY inside another member', '{"x":{"KEY":"other"}}', '/key'],
        ['KEY after a byte order mark', '\ufeff{"KEY":"other"}', '/KEY'],
      ] as const
    ).map(([spelled, body, pointer]): CaseRow => [`PUT with another key, ${spelled}`, '400', put(body), at(pointer)]),
  ),

  ...cases('4.1.3, D5', [
    [
      'PATCH of only the name',
      '204, isComplete gets its default',
      patch(NEW),
      { headers: EMPTY_HEAD, ...becomes('New') },
    ],
    ['PATCH of only isComplete', '204, the name is null', patch('{"isComplete":true}'), becomes(null, true)],
    ['PATCH of {}', '204, name null and not complete', patch('{}'), becomes(null)],
    ['PATCH with another key', '204, the key does not change', patch('{"key":"other","name":"New"}'), becomes('New')],
    ['PATCH of an unknown id', '404', patch(NEW, {}, '/nope')],
  ]),
  ...cases('4.1.4, D4, an unknown id: the body is validated first', [
    ['PUT with another key', '400', put(whole, {}, '/nope'), at('/key')],
    ['PUT without a body', '400', put(undefined, {}, '/nope')],
    ['PUT of a name with the wrong type', '400', put('{"key":"nope","name":1}', {}, '/nope'), at('/name')],
    ['PATCH without a body', '400', patch(undefined, {}, '/nope')],
  ]),

  ...cases('4.1 DELETE', [
    ['DELETE of the item', '204, the item is deleted', remove(), { headers: EMPTY_HEAD, list: [] }],
    ['DELETE of an unknown id', '404', remove({}, 'nope')],
    [
      'DELETE with a body that is not JSON',
      '204, the body is ignored',
      { ...remove({ 'Content-Type': 'text/plain' }), body: '{' },
      { list: [] },
    ],
  ]),
  ...cases('D9, no route matches', [
    ['POST to an item', '404', post(NEW, {}, '/api/todo/{key}')],
    ['PUT to the list', '404', put(whole, {}, '')],
    ['PATCH of the list', '404', patch('{}', {}, '')],
    ['DELETE of the list', '404', { method: 'DELETE', target: '/api/todo' }],
  ]),
];

/** Bodies that count as missing, whatever their media type (D3). */
const ABSENT: readonly (readonly [question: string, body: Question['body'], headers?: Question['headers']])[] = [
  ['no body', undefined],
  ['Content-Length: 0', ''],
  ['an empty chunked body', []],
  ['no body and no media type', undefined, { 'Content-Type': [] }],
  ['no body, text/html', undefined, { 'Content-Type': 'text/html' }],
  ['null', 'null'],
  ['null between white space', ' \r\n\tnull \n'],
  ['null as text/html', 'null', { 'Content-Type': 'text/html' }],
  ['null without a media type', 'null', { 'Content-Type': [] }],
  ['only a byte order mark', '\ufeff'],
  ['only a byte order mark, as text/html', '\ufeff', { 'Content-Type': 'text/html' }],
  ['a byte order mark and null as text/html', '\ufeffnull', { 'Content-Type': 'text/html' }],
  ['Expect: 100-continue and no body', undefined, { Expect: '100-continue' }],
  ['Expect: 100-continue and Content-Length: 0', '', { Expect: '100-continue' }],
  ['Expect: 100-continue, no body, text/html', undefined, { Expect: '100-continue', 'Content-Type': 'text/html' }],
  ['Expect: 100-continue, no body, no media type', undefined, { Expect: '100-continue', 'Content-Type': [] }],
];

/** Media types, and parameters of `application/json`, that are JSON in UTF-8 or are not (D3, RFC 9110 §5.6.6). */
const READ_TYPES = [
  'text/json',
  'Application/JSON',
  'application/vnd.todo+json',
  'application/json;charset=utf-8',
  'application/json; version=1; charset="UTF-8"',
  'application/json; charset=utf8',
  'application/json; charset=utf-8; charset="UTF-8"',
  'application/json; ;',
  'application/json; x="a;charset=utf-16"',
  'application/json; x="\\""; charset="\\utf-8"',
];
const REJECTED_TYPES = [
  [],
  'text/plain',
  'application/jsonp',
  'application/json-patch',
  'image/x+json',
  'text/html; x=application/json',
  'application/json; charset=iso-8859-1',
  'application/json; charset=utf-16 le',
  'application/json; charset="utf 16"',
  'application/json; charset = utf-8',
  'application/json; charset="utf-8',
  'application/json; charset="utf-8"x',
  'application/json; charset=',
  'application/json; charset',
  'application/json; charset=utf-8; charset=utf-16',
  'application/json; utf-8',
];
const MERGE_PATCHES = [
  'application/merge-patch+json',
  'Application/Merge-Patch+JSON; charset=utf-8',
  'application/json-patch+json',
];

/** Returns every row of D3 for an operation with a body. */
function bodies(make: (body: Question['body'], headers?: Question['headers']) => Question): readonly ItemCase[] {
  const { method = '' } = make('');
  // PUT must repeat the key beside the tested members. The other operations ignore a key.
  const key = method === 'POST' ? '' : '"key":"{key}",';
  const stored = method === 'POST' ? '201, stored' : '204, stored';
  const list = (name: string | null, complete = false) => ({
    list: [...(method === 'POST' ? [seed] : []), [name, complete] as const],
  });
  const typed = (type: string | readonly string[]): Question => make(`{${key}"name":"New"}`, { 'Content-Type': type });
  const named = (bytes: readonly number[]) =>
    Buffer.concat([Buffer.from(`{${key}"name":"`), Buffer.from(bytes), Buffer.from('"}')]);
  const wrong: readonly (readonly [question: string, body: Question['body'], ...pointers: string[]])[] = [
    ['white space', '  '],
    ['malformed JSON', `{${key}"name":"New"`],
    ['JSON with an extra comma', `{${key}"name":"New",}`],
    ['text after the JSON', `{${key}"name":"New"} {}`],
    ['a name in single quotes', `{${key}"name":'New'}`],
    ['NaN', 'NaN'],
    ['JSON that ends in "position 7"', 'position 7'],
    ['an array', '[]'],
    ['an array with an item', `[{${key}"name":"New"}]`],
    ['a string', '"New"'],
    ['a number', '1'],
    ['true', 'true'],
    ['invalid UTF-8', named([0xff])],
    ['a surrogate written as UTF-8', named([0xed, 0xa0, 0x80])],
    ['UTF-16', utf16(`{${key}"name":"New"}`)],
    ['a name that is a number', `{${key}"name":5}`, '/name'],
    ['a name that is an object', `{${key}"name":{}}`, '/name'],
    ['isComplete that is a string', `{${key}"name":"New","isComplete":"true"}`, '/isComplete'],
    ['isComplete that is null', `{${key}"name":"New","isComplete":null}`, '/isComplete'],
    ['isComplete that is 0', `{${key}"isComplete":0}`, '/isComplete'],
    ['a key that is a number', '{"key":5,"name":"New"}', '/key'],
    ['a key that is an array', '{"key":["{key}"],"name":"New"}', '/key'],
    ['three wrong members', '{"key":1,"name":2,"isComplete":3}', '/key', '/name', '/isComplete'],
    ['a wrong member in another case', `{${key}"NAME":5}`, '/NAME'],
  ];
  const bytes = [...Buffer.from('"name":"日本😀"}')].map((byte) => Uint8Array.of(byte));
  const odd = '\u0000 "\\ é 日本 😀 \u2028';
  const valid: readonly (readonly [question: string, body: Question['body'], name?: string | null, done?: true])[] = [
    ['a name that is null', `{${key}"name":null}`, null],
    ['a name that is empty', `{${key}"name":""}`, ''],
    ['every kind of character', `{${key}"name":"\\u0000 \\"\\\\ é 日本 😀 \\u2028"}`, odd],
    ['a leading byte order mark', `\ufeff{${key}"name":"New"}`],
    ['PascalCase (D1)', `{${key.replace('key', 'Key')}"Name":"New","IsComplete":true}`, 'New', true],
    ['capitals (D1)', `{${key.replace('"key"', '"KEY"')}"NAME":"New","ISCOMPLETE":true}`, 'New', true],
    ['a member twice, the last wins', `{${key}"name":"Old","name":"New"}`],
    ['a member twice in two cases, the last wins', `{${key}"name":"Old","NAME":"New"}`],
    ['three times in two cases, the last for JSON.parse wins', `{${key}"name":"1","NAME":"New","name":"2"}`],
    ['unknown members', `{${key}"name":"New","colour":"red","nested":{"name":5}}`],
    ['__proto__', `{${key}"name":"New","__proto__":{"isComplete":true}}`],
    ['__PROTO__ and constructor', `{${key}"name":"New","__PROTO__":{"isComplete":true},"constructor":1}`],
    ['many chunks that cut characters', [`{${key}`, ...bytes], '日本😀'],
  ];
  const accept = { headers: { accept: 'application/json' } };
  const small = { settings: { maxBody: 512 } };
  const full = `{${key}"name":"New"}${' '.repeat(512)}`.slice(0, 512 - (key === '' ? 0 : 31));
  const rows: readonly CaseRow[] = [
    ...ABSENT.map(([question, body, headers]): CaseRow => [question, '400, the body is missing', make(body, headers)]),
    ...wrong.map(([question, body, ...pointers]): CaseRow => [question, '400', make(body), at(...or(pointers))]),
    ...valid.map(([question, body, name = 'New', done]): CaseRow => [question, stored, make(body), list(name, done)]),
    ...READ_TYPES.map((type): CaseRow => [type, stored, typed(type), list('New')]),
    ...REJECTED_TYPES.map((type): CaseRow => [`media type ${type}`, '415', typed(type), accept]),
    ...MERGE_PATCHES.map(
      (type): CaseRow =>
        method === 'PATCH'
          ? [type, '415 (D39)', typed(type), { headers: { 'accept-patch': 'application/json', ...accept.headers } }]
          : [type, stored, typed(type), list('New')],
    ),
    ['a form', '415', make('name=New', { 'Content-Type': 'application/x-www-form-urlencoded' }), accept],
    ['malformed JSON as text/plain', '415, the type is checked first', make('{', { 'Content-Type': 'text/plain' })],
    ['utf-16', '415', make(utf16('{}'), { 'Content-Type': 'application/json; charset=utf-16' }), accept],
    ['a body over the limit', '413', make(`{${key}"name":"${'x'.repeat(600)}"}`), small],
    ['a chunked body over the limit', '413', make([`{${key}"name":"`, 'x'.repeat(600), '"}']), small],
    ['a body over the limit as text/html', '413', make('x'.repeat(600), { 'Content-Type': 'text/html' }), small],
    ['a body of exactly the maximum size', stored, make(full), { ...list('New'), ...small }],
  ];
  return cases(
    'D3',
    rows.map(([question, ...more]): CaseRow => [`${method}: ${question}`, ...more]),
  );
}

const or = (pointers: readonly string[]): readonly string[] => (pointers.length > 0 ? pointers : ['']);

export const BODIES: readonly ItemCase[] = [post, put, patch].flatMap((make) =>
  bodies((body, headers) => make(body, headers)),
);

const within = (settings: ItemCase['settings'], rows: readonly CaseRow[]): readonly CaseRow[] =>
  rows.map(([question, answer, ask, more]) => [question, answer, ask, { settings, ...more } as More]);

export const VARIANTS: readonly ItemCase[] = [
  ...cases(
    'D1, PascalCase',
    within({ propertyNaming: 'PascalCase' }, [
      ['the list', '200', get('/api/todo'), { body: [{ Key: '{key}', Name: 'Item1', IsComplete: false }] }],
      ['the item', '200', get('/api/todo/{key}'), { body: { Key: '{key}', Name: 'Item1', IsComplete: false } }],
      [
        'POST in camelCase',
        '201, PascalCase',
        post(NEW),
        { body: { Key: '{new}', Name: 'New', IsComplete: false }, list: [seed, ['New', false]] },
      ],
      ['PUT without a key', '400 at /Key', put(NEW), at('/Key')],
      [
        'PUT with another key in camelCase',
        '400, the name as it was sent',
        put('{"key":"other","name":"New"}'),
        at('/key'),
      ],
      ['PUT in PascalCase', '204', put('{"Key":"{key}","Name":"New"}'), becomes('New')],
      ['members of a problem (D10)', '404, as RFC 9457 names them', get('/api/todo/nope')],
    ]),
  ),
  ...cases('D11, annotated', [
    ...within({ model: 'annotated' }, [
      ['POST without a name', '400', post('{}'), at('/name')],
      ['PUT without a name', '400', put('{"key":"{key}"}'), at('/name')],
      ['PATCH without a name', '400', patch('{"isComplete":true}'), at('/name')],
      ['a name that is null', '400, not nullable', post('{"name":null}'), at('/name')],
      ['only a name', '201, not complete', post(NEW), added('New')],
      ['PUT of the whole item', '204', put(whole), becomes('New', true)],
    ]),
    ...within({ model: 'annotated', propertyNaming: 'PascalCase' }, [
      ['POST without a name, PascalCase', '400', post('{}'), at('/Name')],
    ]),
  ]),
  ...cases('D16, D21, a base path', [
    ...(
      [
        ['/todo', '/todo/api/todo/{key}', 200],
        ['/todo', '/TODO/api/todo/{key}', 200],
        ['/todo', '/api/todo/{key}', 200],
        ['/todo', '/%74od%6F/api/todo/{key}', 200],
        ['/%41', '/a/api/todo/{key}', 200],
        ['/%c3%a4', '/%C3%84/api/todo/{key}', 200],
        ['/a/b', '/a/%62/api/todo/{key}', 200],
        ['/a/b', '/a%2Fb/api/todo', 404],
        ['/todo', '/todos/api/todo', 404],
        ['/todo', '/todo/todo/api/todo', 404],
        ['/todo', '/todo', 404],
      ] as const
    ).flatMap(([basePath, target, status]) =>
      within({ basePath }, [
        [`${basePath}, a request for ${target}`, String(status), get(target), status === 200 ? { body: item } : {}],
      ]),
    ),
    ...['/todo/api/todo', '/api/todo'].flatMap((target) =>
      within({ basePath: '/todo' }, [
        [
          `POST to ${target} (D7)`,
          '201, the Location begins with the base path',
          post(NEW, {}, target),
          { headers: { location: '/todo/api/todo/{new}' }, ...added('New') },
        ],
      ]),
    ),
  ]),
];

const ITEM = '/api/todo/{key}';
const LIST = '/api/todo';
/** Returns the rows of reading the item or the list with conditions. The answer begins with the status. */
const reads = (target: string, rows: readonly (readonly [Question['headers'], answer: string, more?: More])[]) =>
  rows.map(([headers, answer, more]): CaseRow => {
    const body = answer.startsWith('200') && { body: target === ITEM ? item : [item] };
    return [`GET ${target} ${JSON.stringify(headers)}`, answer, get(target, headers), { ...body, ...more }];
  });

const conditional = (target: string, tag: string): readonly CaseRow[] =>
  reads(target, [
    [{ 'If-Match': tag }, '200'],
    [{ 'If-Match': `"a", ${tag}` }, '200'],
    [{ 'If-Match': '*' }, '200, it exists'],
    [{ 'If-Match': '"other"' }, '412'],
    [{ 'If-Match': `W/${tag}` }, '412, tags are compared strongly'],
    [{ 'If-Match': 'other' }, '412, not an entity tag'],
    [{ 'If-Match': '"other"', 'If-None-Match': tag }, '412, If-Match is evaluated first'],
    [{ 'If-Match': tag, 'If-None-Match': tag }, '304'],
    [{ 'If-Unmodified-Since': 'Sun, 06 Nov 1994 08:49:37 GMT' }, '200, items have no modification date'],
    [{ 'If-Modified-Since': new Date().toUTCString() }, '200, items have no modification date'],
  ]);

/** Returns rows of PUT. The answer has an ETag only if the stored text is the sent text, byte for byte. */
const tagging = (tagged: boolean, rows: readonly (readonly [string, string, (readonly [string | null, boolean])?])[]) =>
  rows.map(([question, body, stored = ['New', true] as const]): CaseRow => {
    const answer = `204 ${tagged ? 'with' : 'without'} an ETag`;
    return [`PUT of the stored item, ${question}`, answer, put(body), { tagged, list: [stored] }];
  });

function changes(method: 'PUT' | 'PATCH' | 'DELETE'): readonly CaseRow[] {
  const ask = (headers: Question['headers'], id = '{key}', body = whole): Question => ({
    method,
    target: `/api/todo/${id}`,
    headers: { ...JSON_TYPE, ...headers },
    ...(method !== 'DELETE' && { body: body.replace('"{key}"', `"${id}"`) }),
  });
  const done = method === 'DELETE' ? { list: [] } : becomes('New', true);
  const rows: readonly CaseRow[] = [
    ['If-Match of the item', '204', ask({ 'If-Match': '{etag}' }), done],
    ['If-Match in a list', '204', ask({ 'If-Match': '"a", {etag}' }), done],
    ['If-Match: *', '204, it exists', ask({ 'If-Match': '*' }), done],
    ['If-Match with another tag', '412', ask({ 'If-Match': '"other"' })],
    ['If-Match with a weak tag', '412, tags are compared strongly', ask({ 'If-Match': 'W/{etag}' })],
    ['If-None-Match: *', '412, it exists', ask({ 'If-None-Match': '*' })],
    ['If-None-Match with another tag', '204', ask({ 'If-None-Match': '"other"' }), done],
    ['an unknown id, If-Match', '404 before 412', ask({ 'If-Match': '"other"' }, 'nope')],
    ['an unknown id, If-Match: *', '404 before 412', ask({ 'If-Match': '*' }, 'nope')],
  ];
  const other = { 'If-Match': '"other"' };
  const wrong: readonly CaseRow[] = [
    ['no body, another If-Match', '400 before 412', { method, target: ITEM, headers: { ...JSON_TYPE, ...other } }],
    ['a wrong member', '400 before 412', ask(other, '{key}', '{"key":"{key}","name":1}'), at('/name')],
  ];
  return [...rows, ...(method === 'DELETE' ? [] : wrong)].map(([question, ...more]) => [
    `${method}, ${question}`,
    ...more,
  ]);
}

export const CONDITIONS: readonly ItemCase[] = [
  ...cases('HTTP semantics, D8', [
    ...reads(ITEM, [
      [
        { 'If-None-Match': '{etag}' },
        '304 with ETag and Cache-Control, no body',
        { headers: { etag: '{etag}', 'cache-control': 'no-cache', ...EMPTY_HEAD } },
      ],
      [{ 'If-None-Match': 'W/{etag}' }, '304, tags are compared weakly'],
      [{ 'If-None-Match': '"a,b", {etag} , W/"c"' }, '304'],
      [{ 'If-None-Match': ['"a"', '{etag}'] }, '304'],
      [{ 'If-None-Match': '*' }, '304'],
      [{ 'If-None-Match': '"other"' }, '200'],
      [{ 'If-None-Match': '{bare}' }, '200, not an entity tag'],
    ]),
    ...reads(LIST, [
      [
        { 'If-None-Match': '{list}' },
        '304 with Vary',
        { headers: { etag: '{list}', vary: 'Accept', 'cache-control': 'no-cache' } },
      ],
      [{ 'If-None-Match': '{list}', Accept: 'text/plain' }, '200, each media type has a separate ETag'],
      [{ 'If-Match': '{list}', Accept: 'text/plain' }, '412, each media type has a separate ETag'],
    ]),
    ...reads('/api/todo/nope', [
      [{ 'If-None-Match': '*' }, '404'],
      [{ 'If-Match': '*' }, '404, there is no tag to compare'],
    ]),
  ]),
  ...cases('D38, RFC 9110 13.1.1', [...conditional(ITEM, '{etag}'), ...conditional(LIST, '{list}')]),
  ...cases('RFC 9110 13.2.1', [
    [
      'POST with conditions',
      '201, conditions do not apply to POST',
      post(NEW, { 'If-Match': '"other"', 'If-None-Match': '*' }),
      added('New'),
    ],
  ]),
  ...cases('D38, RFC 9110 9.3.4', [
    ...tagging(true, [
      ['exactly', whole],
      ['letters outside ASCII', '{"key":"{key}","name":"é 日本 😀","isComplete":true}', ['é 日本 😀', true]],
      ['a necessary escape', '{"key":"{key}","name":"\\"\\n","isComplete":true}', ['"\n', true]],
      ['without a name', '{"key":"{key}","name":null,"isComplete":false}', [null, false]],
    ]),
    ...tagging(false, [
      ['with a blank', whole.replace(':true', ': true')],
      ['with white space after it', `${whole}\n`],
      ['with a byte order mark', `\ufeff${whole}`],
      ['in another order', '{"name":"New","key":"{key}","isComplete":true}'],
      ['in another case', whole.replace('"name"', '"Name"')],
      ['with an unnecessary escape', whole.replace('New', '\\u004eew')],
      ['with a member that is not stored', whole.replace('true}', 'true,"x":1}')],
      ['without a member that has a default', '{"key":"{key}","name":"New"}', ['New', false]],
      ['with blanks to the same length', '{"key":"{key}","name":"New"                   }', ['New', false]],
      ['with a member twice', whole.replace('{', '{"name":"Old",')],
    ]),
  ]),
  ...cases('HTTP semantics, D4', [
    ...changes('PUT'),
    ...changes('PATCH'),
    ...changes('DELETE'),
    ['PUT of another key', '400 before 412', put('{"key":"other"}', { 'If-Match': '"other"' }), at('/key')],
  ]),
];
