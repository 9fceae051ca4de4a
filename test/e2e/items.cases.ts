/**
 * The operations on items, clause by clause. Every row is asked of a fresh service with its one seeded item.
 *
 * `{key}` in a target, a header, a body or an expectation is the key of that item, `{etag}` its ETag, `{list}` that of
 * the list as JSON.
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
  /** Header lines of the answer; null for one that must not be there. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Has the answer to a PUT an ETag? */
  readonly tagged?: boolean;
  /** The body as JSON; `{new}` is any key but the seeded one. Nothing said: no body, or any problem. */
  readonly body?: unknown;
  /** `errors` of a problem: the pointers, in order. */
  readonly pointers?: readonly string[];
  /** What the list holds afterwards: `[name, isComplete]`. Nothing said: what it held before. */
  readonly list?: readonly (readonly [string | null, boolean])[];
}

/** What is asked and answered; `more` is what else is looked at. */
const entry = (
  clause: string,
  question: string,
  answer: string,
  ask: Question,
  status: number,
  more: Partial<ItemCase> = {},
): ItemCase => ({ clause, question, answer, ask, status, ...more });

const JSON_TYPE = { 'Content-Type': 'application/json' };
const post = (body: Question['body'], headers: Question['headers'] = JSON_TYPE): Question => ({
  method: 'POST',
  target: '/api/todo',
  headers: { ...headers },
  ...(body !== undefined && { body }),
});
const put = (body: Question['body'], headers: Question['headers'] = {}, id = '{key}'): Question => ({
  method: 'PUT',
  target: `/api/todo/${id}`,
  headers: { ...JSON_TYPE, ...headers },
  ...(body !== undefined && { body }),
});
const patch = (body: Question['body'], headers: Question['headers'] = {}, id = '{key}'): Question => ({
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

export const OPERATIONS: readonly ItemCase[] = [
  // GET /api/todo
  entry(
    '4.1 GET list, D12',
    'the list of a new service',
    '200, one item named Item1, not complete',
    get('/api/todo'),
    200,
    {
      headers: {
        'content-type': 'application/json',
        'content-length': '82',
        vary: 'Accept',
        'cache-control': 'no-cache',
      },
      body: [item],
    },
  ),
  entry('4.1.7, D2', '/API/Todo', '200, paths ignore case', get('/API/Todo'), 200, { body: [item] }),
  entry('4.3.3', '/api/todo/ with a trailing slash', '200, the list', get('/api/todo/'), 200, { body: [item] }),
  entry('D21', 'a query that is malformed', '200, never fails', get('/api/todo?%&a=%zz&=%FF'), 200, { body: [item] }),
  entry(
    'D3',
    'GET with a body',
    '200, the body is ignored',
    { target: '/api/todo', headers: { 'Content-Type': 'text/plain' }, body: 'not { JSON' },
    200,
    { body: [item] },
  ),
  entry(
    'D3',
    'GET with a chunked body',
    '200, the body is ignored',
    { target: '/api/todo', body: ['not ', '{ JSON'] },
    200,
    { body: [item] },
  ),

  // GET /api/todo/{id}
  entry('4.1 GET item', 'the item by its key', '200, the item, its ETag and no Vary', get('/api/todo/{key}'), 200, {
    headers: { 'content-type': 'application/json', vary: null, 'cache-control': 'no-cache', etag: '{etag}' },
    body: item,
  }),
  entry('4.1 GET item', 'an id that no item has', '404', get('/api/todo/nope'), 404),
  entry('D2', 'the key in upper case', '404, ids are compared exactly', get('/api/todo/{KEY}'), 404),
  entry('D2', 'the key in upper case on a path in upper case', '404', get('/API/TODO/{KEY}'), 404),
  entry('D2', '/API/TODO/ and the key', '200', get('/API/TODO/{key}'), 200, { body: item }),
  entry('D21', 'the key with every character percent-encoded', '200, decoded once', get('/api/todo/{%key}'), 200, {
    body: item,
  }),
  entry('D21', 'the key percent-encoded twice', '404, decoded once', get('/api/todo/{%25key}'), 404),
  entry('4.3.3', 'the key with a trailing slash', '200', get('/api/todo/{key}/'), 200, { body: item }),
  entry('4.3', 'the key and two trailing slashes', '404', get('/api/todo/{key}//'), 404),
  entry(
    'D21',
    'a slash inside the id, encoded',
    '404 of the operation: no item has the id "a/b"',
    get('/api/todo/a%2Fb'),
    404,
  ),
  entry('7', 'an id of __proto__', '404', get('/api/todo/__proto__'), 404),
  entry('7', 'an id of constructor', '404', get('/api/todo/constructor'), 404),
  entry('7', 'a path below an item', '404', get('/api/todo/{key}/more'), 404),

  // POST /api/todo
  entry(
    '4.1.1',
    'POST of an item',
    '201, the item under a new key, its Location and ETag',
    post('{"name":"New","isComplete":true}'),
    201,
    {
      headers: { 'content-type': 'application/json', location: '/api/todo/{new}' },
      body: { key: '{new}', name: 'New', isComplete: true },
      list: [seed, ['New', true]],
    },
  ),
  entry(
    '4.1.1',
    'POST with a key of the client',
    '201, the key is a new one',
    post('{"key":"mine","name":"New"}'),
    201,
    { body: { key: '{new}', name: 'New', isComplete: false }, list: [seed, ['New', false]] },
  ),
  entry(
    '4.1.1',
    'POST with the key of another item',
    '201, the key is a new one',
    post('{"key":"{key}","name":"New"}'),
    201,
    { body: { key: '{new}', name: 'New', isComplete: false }, list: [seed, ['New', false]] },
  ),
  entry('D5', 'POST of {}', '201, name null and not complete', post('{}'), 201, {
    body: { key: '{new}', name: null, isComplete: false },
    list: [seed, [null, false]],
  }),
  entry(
    'D7',
    'POST to /API/TODO/',
    '201, Location in lower case without the slash',
    { ...post('{"name":"New"}'), target: '/API/TODO/' },
    201,
    {
      headers: { location: '/api/todo/{new}' },
      body: { key: '{new}', name: 'New', isComplete: false },
      list: [seed, ['New', false]],
    },
  ),
  entry(
    'D9',
    'POST to an item',
    '404, no route takes it',
    { ...post('{"name":"New"}'), target: '/api/todo/{key}' },
    404,
  ),

  // PUT
  entry('4.1.2', 'PUT of the whole item', '204, replaced', put(whole), 204, {
    headers: { 'content-length': null, 'content-type': null },
    list: [['New', true]],
  }),
  entry('4.1.2, D5', 'PUT of the key alone', '204, nothing of the old item is left', put('{"key":"{key}"}'), 204, {
    list: [[null, false]],
  }),
  entry('D3', 'PUT without a key', '400', put('{"name":"New"}'), 400, { pointers: ['/key'] }),
  entry('D3', 'PUT with the key null', '400', put('{"key":null,"name":"New"}'), 400, { pointers: ['/key'] }),
  entry('4.1 PUT', 'PUT with another key', '400', put('{"key":"other","name":"New"}'), 400, { pointers: ['/key'] }),
  ...(
    [
      ['KEY', '{"KEY":"other","name":"New"}', '/KEY'],
      ['Key: null', '{"Key":null,"name":"New"}', '/Key'],
      ['key and KEY', '{"key":"{key}","KEY":"other"}', '/KEY'],
      ['KEY and key', '{"KEY":"{key}","key":"other"}', '/key'],
      ['KEY, key and KEY', '{"KEY":"a","key":"{key}","KEY":"other"}', '/KEY'],
      ['k and an escape', '{"k\\u0045y":"other"}', '/kEy'],
      ['a Kelvin sign, which is no k', '{"\u212aey":"other"}', '/key'],
      ['KEY inside another member', '{"x":{"KEY":"other"}}', '/key'],
      ['KEY behind a byte order mark', '\ufeff{"KEY":"other"}', '/KEY'],
    ] as const
  ).map(
    ([question, body, pointer]): ItemCase =>
      entry('D3', `PUT with another key, spelled ${question}`, `400 at ${pointer}, as it was sent`, put(body), 400, {
        pointers: [pointer],
      }),
  ),
  entry('D3', 'PUT with the key in upper case', '400, compared exactly', put('{"key":"{KEY}","name":"New"}'), 400, {
    pointers: ['/key'],
  }),
  entry('D3', 'PUT to the encoded id', '204, the decoded id is compared', put(whole, {}, '{%key}'), 204, {
    list: [['New', true]],
  }),
  entry(
    '4.1 PUT',
    'PUT to an id that no item has, key equal',
    '404',
    put('{"key":"nope","name":"New"}', {}, 'nope'),
    404,
  ),
  entry(
    '4.1.4, D4',
    'PUT to an id that no item has, key different',
    '400, the body is judged first',
    put(whole, {}, 'nope'),
    400,
    { pointers: ['/key'] },
  ),
  entry(
    '4.1.4, D4',
    'PUT to an id that no item has, without a body',
    '400, the body is judged first',
    put(undefined, {}, 'nope'),
    400,
  ),
  entry(
    '4.1.4, D4',
    'PUT to an id that no item has, a name of the wrong type',
    '400, the body is judged first',
    put('{"key":"nope","name":1}', {}, 'nope'),
    400,
    { pointers: ['/name'] },
  ),
  entry('D9', 'PUT to the list', '404, no route takes it', { ...put(whole), target: '/api/todo' }, 404),

  // PATCH
  entry('4.1.3', 'PATCH of the name alone', '204, stored whole: not complete again', patch('{"name":"New"}'), 204, {
    headers: { 'content-length': null, 'content-type': null },
    list: [['New', false]],
  }),
  entry('D5', 'PATCH of isComplete alone', '204, stored whole: the name is null', patch('{"isComplete":true}'), 204, {
    list: [[null, true]],
  }),
  entry('D5', 'PATCH of {}', '204, name null and not complete', patch('{}'), 204, { list: [[null, false]] }),
  entry('4.1.3', 'PATCH with another key', '204, under the existing key', patch('{"key":"other","name":"New"}'), 204, {
    list: [['New', false]],
  }),
  entry('4.1 PATCH', 'PATCH of an id that no item has', '404', patch('{"name":"New"}', {}, 'nope'), 404),
  entry(
    '4.1.4, D4',
    'PATCH of an id that no item has, without a body',
    '400, the body is judged first',
    patch(undefined, {}, 'nope'),
    400,
  ),
  entry('D9', 'PATCH of the list', '404, no route takes it', { ...patch('{}'), target: '/api/todo' }, 404),

  // DELETE
  entry('4.1 DELETE', 'DELETE of the item', '204, and it is gone', remove(), 204, {
    headers: { 'content-length': null, 'content-type': null },
    list: [],
  }),
  entry('4.1 DELETE', 'DELETE of an id that no item has', '404', remove({}, 'nope'), 404),
  entry(
    'D3',
    'DELETE with a body that is no JSON',
    '204, the body is ignored',
    { ...remove({ 'Content-Type': 'text/plain' }), body: '{' },
    204,
    { list: [] },
  ),
  entry('D9', 'DELETE of the list', '404, no route takes it', { method: 'DELETE', target: '/api/todo' }, 404),
];

const bodies = (
  make: (body: Question['body'], headers?: Question['headers']) => Question,
  method: string,
): readonly ItemCase[] => {
  const row = (
    question: string,
    answer: string,
    ask: Question,
    status: number,
    more: Partial<ItemCase> = {},
  ): ItemCase => entry('D3', `${method}: ${question}`, answer, ask, status, { ...more });
  // PUT says its key beside what the row is about; the other two ignore one.
  const key = method === 'POST' ? '' : '"key":"{key}",';
  const stored = method === 'POST' ? 201 : 204;
  const list = (name: string | null, complete = false) => ({
    list: method === 'POST' ? [seed, [name, complete] as const] : [[name, complete] as const],
  });
  const wrong = (question: string, answer: string, body: Question['body'], ...pointers: readonly string[]): ItemCase =>
    row(question, answer, make(body), 400, { pointers: pointers.length > 0 ? pointers : [''] });
  const taken = (
    question: string,
    answer: string,
    body: Question['body'],
    name: string | null,
    complete = false,
  ): ItemCase => row(question, answer, make(body), stored, list(name, complete));
  const typed = (type: string | readonly string[]): Question => make(`{${key}"name":"New"}`, { 'Content-Type': type });
  return [
    row('no body', '400, absent', make(undefined), 400),
    row('Content-Length: 0', '400, absent', make(''), 400),
    row('a chunked body of nothing', '400, absent', make([]), 400),
    row(
      'no body and no media type',
      '400, absent whatever its media type',
      make(undefined, { 'Content-Type': [] }),
      400,
    ),
    row(
      'no body, text/html',
      '400, absent whatever its media type',
      make(undefined, { 'Content-Type': 'text/html' }),
      400,
    ),
    row('null', '400, absent', make('null'), 400),
    row('null between white space', '400, absent', make(' \r\n\tnull \n'), 400),
    row('null as text/html', '400, absent whatever its media type', make('null', { 'Content-Type': 'text/html' }), 400),
    row('null without a media type', '400, absent whatever its media type', make('null', { 'Content-Type': [] }), 400),
    row('a byte order mark and nothing', '400, absent', make('\ufeff'), 400),
    row(
      'a byte order mark and nothing, as text/html',
      '400, absent whatever its media type',
      make('\ufeff', { 'Content-Type': 'text/html' }),
      400,
    ),
    row(
      'a byte order mark and null as text/html',
      '400, absent whatever its media type',
      make('\ufeffnull', { 'Content-Type': 'text/html' }),
      400,
    ),
    wrong('white space', '400, no JSON', '  '),
    wrong('malformed JSON', '400', `{${key}"name":"New"`),
    wrong('JSON with a comma too many', '400', `{${key}"name":"New",}`),
    wrong('JSON and more', '400', `{${key}"name":"New"} {}`),
    wrong('a name in single quotes', '400', `{${key}"name":'New'}`),
    wrong('NaN', '400', 'NaN'),
    wrong('an array', '400, no object', '[]'),
    wrong('an array with an item', '400, no object', `[{${key}"name":"New"}]`),
    wrong('a string', '400, no object', '"New"'),
    wrong('a number', '400, no object', '1'),
    wrong('true', '400, no object', 'true'),
    wrong(
      'invalid UTF-8',
      '400',
      Buffer.concat([Buffer.from(`{${key}"name":"`), Buffer.from([0xff]), Buffer.from('"}')]),
    ),
    wrong(
      'a surrogate written as UTF-8',
      '400',
      Buffer.concat([Buffer.from(`{${key}"name":"`), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
    ),
    wrong('UTF-16', '400', utf16(`{${key}"name":"New"}`)),
    wrong('a name that is a number', '400 at /name', `{${key}"name":5}`, '/name'),
    wrong('a name that is an object', '400 at /name', `{${key}"name":{}}`, '/name'),
    wrong(
      'isComplete that is a string',
      '400 at /isComplete',
      `{${key}"name":"New","isComplete":"true"}`,
      '/isComplete',
    ),
    wrong('isComplete that is null', '400 at /isComplete', `{${key}"name":"New","isComplete":null}`, '/isComplete'),
    wrong('isComplete that is 0', '400 at /isComplete', `{${key}"isComplete":0}`, '/isComplete'),
    wrong('a key that is a number', '400 at /key', '{"key":5,"name":"New"}', '/key'),
    wrong('a key that is an array', '400 at /key', '{"key":["{key}"],"name":"New"}', '/key'),
    wrong(
      'three wrong members',
      '400, each with its pointer',
      '{"key":1,"name":2,"isComplete":3}',
      '/key',
      '/name',
      '/isComplete',
    ),
    wrong('a wrong member in another casing', '400 at the name as it was sent', `{${key}"NAME":5}`, '/NAME'),
    taken('a name that is null', 'stored', `{${key}"name":null}`, null),
    taken('a name that is empty', 'stored', `{${key}"name":""}`, ''),
    taken(
      'a name with every kind of character',
      'stored as sent',
      `{${key}"name":"\\u0000 \\"\\\\ é 日本 😀 \\u2028"}`,
      '\u0000 "\\ é 日本 😀 \u2028',
    ),
    taken('a byte order mark in front', 'stored, it is skipped', `\ufeff{${key}"name":"New"}`, 'New'),
    taken(
      'names in PascalCase',
      'stored, names ignore case (D1)',
      `{${key.replace('key', 'Key')}"Name":"New","IsComplete":true}`,
      'New',
      true,
    ),
    taken(
      'names in capitals',
      'stored, names ignore case (D1)',
      `{${key.replace('"key"', '"KEY"')}"NAME":"New","ISCOMPLETE":true}`,
      'New',
      true,
    ),
    taken('a member twice', 'stored, the last wins', `{${key}"name":"Old","name":"New"}`, 'New'),
    taken('a member twice in two casings', 'stored, the last wins', `{${key}"name":"Old","NAME":"New"}`, 'New'),
    taken(
      'a member three times in two casings',
      'stored, the last wins',
      `{${key}"name":"1","NAME":"2","name":"New"}`,
      'New',
    ),
    taken('unknown members', 'stored without them', `{${key}"name":"New","colour":"red","nested":{"name":5}}`, 'New'),
    taken('__proto__', 'stored, an unknown member', `{${key}"name":"New","__proto__":{"isComplete":true}}`, 'New'),
    taken(
      '__PROTO__ and constructor',
      'stored, unknown members',
      `{${key}"name":"New","__PROTO__":{"isComplete":true},"constructor":1}`,
      'New',
    ),
    row('no media type', '415', typed([]), 415, { headers: { accept: 'application/json' } }),
    row('text/plain', '415', typed('text/plain'), 415),
    row('a form', '415', make('name=New', { 'Content-Type': 'application/x-www-form-urlencoded' }), 415),
    row('application/jsonp', '415', typed('application/jsonp'), 415),
    row('application/json-patch', '415', typed('application/json-patch'), 415),
    row('image/x+json', '415, only application/*+json', typed('image/x+json'), 415),
    row('text/html; x=application/json', '415', typed('text/html; x=application/json'), 415),
    row('malformed JSON as text/plain', '415, the media type first', make('{', { 'Content-Type': 'text/plain' }), 415),
    row('text/json', 'stored', typed('text/json'), stored, list('New')),
    row('Application/JSON', 'stored', typed('Application/JSON'), stored, list('New')),
    ...['application/merge-patch+json', 'Application/Merge-Patch+JSON; charset=utf-8'].map((type) =>
      method === 'PATCH'
        ? row(type, '415 with Accept-Patch (D39)', make('{"name":"New"}', { 'Content-Type': type }), 415, {
            headers: { 'accept-patch': 'application/json', accept: 'application/json' },
          })
        : row(type, 'stored', typed(type), stored, list('New')),
    ),
    ...['application/json-patch+json', 'application/vnd.todo+json'].map((type) =>
      row(type, 'stored', typed(type), stored, list('New')),
    ),
    row('charset=utf-8', 'stored', typed('application/json;charset=utf-8'), stored, list('New')),
    row(
      'charset="UTF-8" behind another parameter',
      'stored',
      typed('application/json; version=1; charset="UTF-8"'),
      stored,
      list('New'),
    ),
    row('charset=iso-8859-1', '415', typed('application/json; charset=iso-8859-1'), 415),
    row('charset=utf-16', '415', make(utf16('{}'), { 'Content-Type': 'application/json; charset=utf-16' }), 415, {
      headers: { accept: 'application/json' },
    }),
    ...(
      [
        ['charset=utf-16 le', 'cannot be read'],
        ['charset="utf 16"', 'is not UTF-8'],
        ['charset = utf-8', 'cannot be read'],
        ['charset="utf-8', 'cannot be read'],
        ['charset="utf-8"x', 'cannot be read'],
        ['charset=', 'cannot be read'],
        ['charset', 'cannot be read'],
        ['charset=utf-8; charset=utf-16', 'is not UTF-8'],
        ['utf-8', 'cannot be read'],
      ] as const
    ).map(([parameter, because]) =>
      row(parameter, `415, ${because}`, typed(`application/json; ${parameter}`), 415, {
        headers: { accept: 'application/json' },
      }),
    ),
    ...[
      'charset=utf8',
      'charset=utf-8; charset="UTF-8"',
      ';',
      'x="a;charset=utf-16"',
      'x="\\""; charset="\\utf-8"',
    ].map((parameter) =>
      row(`application/json; ${parameter}`, 'stored', typed(`application/json; ${parameter}`), stored, list('New')),
    ),
    row('Expect: 100-continue and no body', '400, absent', make(undefined, { Expect: '100-continue' }), 400),
    row('Expect: 100-continue and Content-Length: 0', '400, absent', make('', { Expect: '100-continue' }), 400),
    ...['text/html', []].map((type) =>
      row(
        `Expect: 100-continue, no body, ${type[0] ? type : 'no media type'}`,
        '400, absent whatever its media type',
        make(undefined, { Expect: '100-continue', 'Content-Type': type }),
        400,
      ),
    ),
    wrong('JSON that ends in "position 7"', '400', 'position 7'),
    taken(
      'a body in many chunks that cut characters',
      'stored',
      [`{${key}`, ...[...Buffer.from('"name":"日本😀"}')].map((byte) => Uint8Array.of(byte))],
      '日本😀',
    ),
    row('a body over the limit', '413', make(`{${key}"name":"${'x'.repeat(600)}"}`), 413, {
      settings: { maxBody: 512 },
    }),
    row('a chunked body over the limit', '413', make([`{${key}"name":"`, 'x'.repeat(600), '"}']), 413, {
      settings: { maxBody: 512 },
    }),
    row('a body over the limit as text/html', '413', make('x'.repeat(600), { 'Content-Type': 'text/html' }), 413, {
      settings: { maxBody: 512 },
    }),
    row(
      'a body of exactly the limit',
      'stored',
      make(`{${key}"name":"New"}${' '.repeat(512)}`.slice(0, 512 - (key === '' ? 0 : 31))),
      stored,
      { ...list('New'), settings: { maxBody: 512 } },
    ),
  ];
};

/** Every row of D3, for the three operations with a body. */
export const BODIES: readonly ItemCase[] = [
  ...bodies((body, headers) => post(body, { ...JSON_TYPE, ...headers }), 'POST'),
  ...bodies((body, headers) => put(body, headers), 'PUT'),
  ...bodies((body, headers) => patch(body, headers), 'PATCH'),
];

export const VARIANTS: readonly ItemCase[] = [
  entry('D1', 'PascalCase: the list', 'Key, Name, IsComplete', get('/api/todo'), 200, {
    settings: { propertyNaming: 'PascalCase' },
    body: [{ Key: '{key}', Name: 'Item1', IsComplete: false }],
  }),
  entry('D1', 'PascalCase: the item', 'Key, Name, IsComplete', get('/api/todo/{key}'), 200, {
    settings: { propertyNaming: 'PascalCase' },
    body: { Key: '{key}', Name: 'Item1', IsComplete: false },
  }),
  entry('D1', 'PascalCase: POST in camelCase', '201, PascalCase', post('{"name":"New"}'), 201, {
    settings: { propertyNaming: 'PascalCase' },
    body: { Key: '{new}', Name: 'New', IsComplete: false },
    list: [seed, ['New', false]],
  }),
  entry('D1', 'PascalCase: PUT without a key', '400 at /Key', put('{"name":"New"}'), 400, {
    settings: { propertyNaming: 'PascalCase' },
    pointers: ['/Key'],
  }),
  entry(
    'D1',
    'PascalCase: PUT with another key in camelCase',
    '400 at /key, as it was sent',
    put('{"key":"other","name":"New"}'),
    400,
    { settings: { propertyNaming: 'PascalCase' }, pointers: ['/key'] },
  ),
  entry('D1', 'PascalCase: PUT in PascalCase', '204', put('{"Key":"{key}","Name":"New"}'), 204, {
    settings: { propertyNaming: 'PascalCase' },
    list: [['New', false]],
  }),
  entry('D10', 'PascalCase: members of a problem', 'stay as RFC 9457 names them', get('/api/todo/nope'), 404, {
    settings: { propertyNaming: 'PascalCase' },
  }),
  entry('D11', 'annotated: POST without a name', '400 at /name', post('{}'), 400, {
    settings: { model: 'annotated' },
    pointers: ['/name'],
  }),
  entry('D11', 'annotated: PUT without a name', '400 at /name', put('{"key":"{key}"}'), 400, {
    settings: { model: 'annotated' },
    pointers: ['/name'],
  }),
  entry('D11', 'annotated: PATCH without a name', '400 at /name', patch('{"isComplete":true}'), 400, {
    settings: { model: 'annotated' },
    pointers: ['/name'],
  }),
  entry('D11', 'annotated: a name that is null', '400 at /name, not nullable', post('{"name":null}'), 400, {
    settings: { model: 'annotated' },
    pointers: ['/name'],
  }),
  entry('D11', 'annotated and PascalCase: POST without a name', '400 at /Name', post('{}'), 400, {
    settings: { model: 'annotated', propertyNaming: 'PascalCase' },
    pointers: ['/Name'],
  }),
  entry('D11', 'annotated: a name and nothing else', '201, not complete', post('{"name":"New"}'), 201, {
    settings: { model: 'annotated' },
    body: { key: '{new}', name: 'New', isComplete: false },
    list: [seed, ['New', false]],
  }),
  entry('D11', 'annotated: PUT of the whole item', '204', put(whole), 204, {
    settings: { model: 'annotated' },
    list: [['New', true]],
  }),
  entry('D16', 'a base path, asked with it', '200', get('/todo/api/todo/{key}'), 200, {
    settings: { basePath: '/todo' },
    body: item,
  }),
  entry('D16', 'a base path, asked with it in another case', '200', get('/TODO/api/todo/{key}'), 200, {
    settings: { basePath: '/todo' },
    body: item,
  }),
  entry('D16', 'a base path, asked without it', '200', get('/api/todo/{key}'), 200, {
    settings: { basePath: '/todo' },
    body: item,
  }),
  ...(
    [
      ['a base path, asked with an escape in it', '/todo', '/%74od%6F'],
      ['a base path with an escape, asked without it', '/%41', '/a'],
      ['a base path with an escape, asked with another', '/%c3%a4', '/%C3%84'],
      ['two pieces, one with an escape', '/a/b', '/a/%62'],
    ] as const
  ).map(
    ([question, basePath, asked]): ItemCase =>
      entry('D16, D21', question, '200', get(`${asked}/api/todo/{key}`), 200, { settings: { basePath }, body: item }),
  ),
  entry('D16, D21', 'a base path of two pieces, asked with an encoded slash', '404', get('/a%2Fb/api/todo'), 404, {
    settings: { basePath: '/a/b' },
  }),
  entry('D16', 'a base path, and one that only begins like it', '404', get('/todos/api/todo'), 404, {
    settings: { basePath: '/todo' },
  }),
  entry('D16', 'a base path twice', '404, removed once', get('/todo/todo/api/todo'), 404, {
    settings: { basePath: '/todo' },
  }),
  entry('D16', 'the base path itself', '404', get('/todo'), 404, { settings: { basePath: '/todo' } }),
  entry(
    'D7',
    'a base path, POST with it',
    'Location behind it',
    { ...post('{"name":"New"}'), target: '/todo/api/todo' },
    201,
    {
      settings: { basePath: '/todo' },
      headers: { location: '/todo/api/todo/{new}' },
      body: { key: '{new}', name: 'New', isComplete: false },
      list: [seed, ['New', false]],
    },
  ),
  entry('D7', 'a base path, POST without it', 'Location behind it all the same', post('{"name":"New"}'), 201, {
    settings: { basePath: '/todo' },
    headers: { location: '/todo/api/todo/{new}' },
    body: { key: '{new}', name: 'New', isComplete: false },
    list: [seed, ['New', false]],
  }),
];

const kept = { body: item };
export const CONDITIONS: readonly ItemCase[] = [
  entry(
    'HTTP semantics',
    'GET, If-None-Match of the item',
    '304 with ETag and Cache-Control, no body',
    get('/api/todo/{key}', { 'If-None-Match': '{etag}' }),
    304,
    { headers: { etag: '{etag}', 'cache-control': 'no-cache', 'content-length': null, 'content-type': null } },
  ),
  entry(
    'HTTP semantics',
    'GET, If-None-Match weak',
    '304, compared weakly',
    get('/api/todo/{key}', { 'If-None-Match': 'W/{etag}' }),
    304,
  ),
  entry(
    'HTTP semantics',
    'GET, If-None-Match in a list',
    '304',
    get('/api/todo/{key}', { 'If-None-Match': '"a,b", {etag} , W/"c"' }),
    304,
  ),
  entry(
    'HTTP semantics',
    'GET, If-None-Match in two lines',
    '304',
    get('/api/todo/{key}', { 'If-None-Match': ['"a"', '{etag}'] }),
    304,
  ),
  entry('HTTP semantics', 'GET, If-None-Match: *', '304', get('/api/todo/{key}', { 'If-None-Match': '*' }), 304),
  entry(
    'HTTP semantics',
    'GET, If-None-Match of another',
    '200',
    get('/api/todo/{key}', { 'If-None-Match': '"other"' }),
    200,
    { ...kept },
  ),
  entry(
    'HTTP semantics',
    'GET, If-None-Match without quotes',
    '200, no entity tag',
    get('/api/todo/{key}', { 'If-None-Match': '{bare}' }),
    200,
    { ...kept },
  ),
  entry(
    'HTTP semantics',
    'GET of an id that no item has, If-None-Match: *',
    '404',
    get('/api/todo/nope', { 'If-None-Match': '*' }),
    404,
  ),
  entry(
    'HTTP semantics, D8',
    'GET list, If-None-Match of the list',
    '304 with Vary',
    get('/api/todo', { 'If-None-Match': '{list}' }),
    304,
    { headers: { etag: '{list}', vary: 'Accept', 'cache-control': 'no-cache' } },
  ),
  entry(
    'D8',
    'GET list as text/plain, If-None-Match of application/json',
    '200, each type has an ETag of its own',
    get('/api/todo', { 'If-None-Match': '{list}', Accept: 'text/plain' }),
    200,
    { body: [item] },
  ),
  ...(
    [
      ['item', '/api/todo/{key}', '{etag}', kept.body],
      ['list', '/api/todo', '{list}', [kept.body]],
    ] as const
  ).flatMap(([what, target, tag, body]): ItemCase[] => {
    const row = (question: string, answer: string, headers: Question['headers'], status: number): ItemCase =>
      entry('D38, RFC 9110 13.1.1', `GET ${what}, ${question}`, answer, get(target, headers), status, {
        ...(status === 200 && { body }),
      });
    const date = 'Sun, 06 Nov 1994 08:49:37 GMT';
    return [
      row('If-Match of its tag', '200', { 'If-Match': tag }, 200),
      row('If-Match in a list', '200', { 'If-Match': `"a", ${tag}` }, 200),
      row('If-Match: *', '200, it exists', { 'If-Match': '*' }, 200),
      row('If-Match of another', '412', { 'If-Match': '"other"' }, 412),
      row('If-Match weak', '412, compared strongly', { 'If-Match': `W/${tag}` }, 412),
      row('If-Match without quotes', '412, no entity tag', { 'If-Match': 'other' }, 412),
      row(
        'If-Match of another, If-None-Match of its tag',
        '412, If-Match is judged first',
        { 'If-Match': '"other"', 'If-None-Match': tag },
        412,
      ),
      row('If-Match and If-None-Match of its tag', '304', { 'If-Match': tag, 'If-None-Match': tag }, 304),
      row('If-Unmodified-Since of long ago', '200, there is no date of a change', { 'If-Unmodified-Since': date }, 200),
      row(
        'If-Modified-Since of today',
        '200, there is no date of a change',
        { 'If-Modified-Since': new Date().toUTCString() },
        200,
      ),
    ];
  }),
  entry(
    'RFC 9110 13.2.1',
    'GET of an id that no item has, If-Match: *',
    '404, there is nothing to compare',
    get('/api/todo/nope', { 'If-Match': '*' }),
    404,
  ),
  entry(
    'D8, D38',
    'GET list as text/plain, If-Match of application/json',
    '412, each type has an ETag of its own',
    get('/api/todo', { 'If-Match': '{list}', Accept: 'text/plain' }),
    412,
  ),
  entry(
    'RFC 9110 13.2.1',
    'POST with conditions',
    '201, it selects no representation',
    post('{"name":"New"}', { ...JSON_TYPE, 'If-Match': '"other"', 'If-None-Match': '*' }),
    201,
    { body: { key: '{new}', name: 'New', isComplete: false }, list: [seed, ['New', false]] },
  ),
  ...(
    [
      ['of exactly what is sent for the item', whole, true, ['New', true]],
      [
        'of it with letters beyond ASCII',
        '{"key":"{key}","name":"é 日本 😀","isComplete":true}',
        true,
        ['é 日本 😀', true],
      ],
      ['of it with an escape that is needed', '{"key":"{key}","name":"\\"\\n","isComplete":true}', true, ['"\n', true]],
      ['of it without a name', '{"key":"{key}","name":null,"isComplete":false}', true, [null, false]],
      ['with a blank', whole.replace(':true', ': true'), false, ['New', true]],
      ['with white space behind it', `${whole}\n`, false, ['New', true]],
      ['with a byte order mark', `\ufeff${whole}`, false, ['New', true]],
      ['in another order', '{"name":"New","key":"{key}","isComplete":true}', false, ['New', true]],
      ['in another casing', whole.replace('"name"', '"Name"'), false, ['New', true]],
      ['with an escape that is not needed', whole.replace('New', '\\u004eew'), false, ['New', true]],
      ['with a member that is not stored', whole.replace('true}', 'true,"x":1}'), false, ['New', true]],
      ['without what has a default', '{"key":"{key}","name":"New"}', false, ['New', false]],
      [
        'of the length of what is stored, but no more',
        '{"key":"{key}","name":"New"                   }',
        false,
        ['New', false],
      ],
      ['with a member twice', whole.replace('{', '{"name":"Old",'), false, ['New', true]],
    ] as const
  ).map(
    ([question, body, tagged, stored]): ItemCase =>
      entry(
        'D38, RFC 9110 9.3.4',
        `PUT ${question}`,
        tagged ? '204 with the ETag' : '204 without an ETag',
        put(body),
        204,
        { tagged, list: [stored] },
      ),
  ),
  ...(['PUT', 'PATCH', 'DELETE'] as const).flatMap((method): ItemCase[] => {
    const ask = (headers: Question['headers'], id = '{key}', body = whole): Question => ({
      method,
      target: `/api/todo/${id}`,
      headers: { ...JSON_TYPE, ...headers },
      ...(method !== 'DELETE' && { body: body.replace('"{key}"', id === '{key}' ? '"{key}"' : `"${id}"`) }),
    });
    const done = { list: method === 'DELETE' ? [] : [['New', true] as const] };
    return [
      entry('HTTP semantics', `${method}, If-Match of the item`, '204', ask({ 'If-Match': '{etag}' }), 204, done),
      entry('HTTP semantics', `${method}, If-Match in a list`, '204', ask({ 'If-Match': '"a", {etag}' }), 204, done),
      entry('HTTP semantics', `${method}, If-Match: *`, '204, it exists', ask({ 'If-Match': '*' }), 204, done),
      entry('HTTP semantics', `${method}, If-Match of another`, '412', ask({ 'If-Match': '"other"' }), 412),
      entry(
        'RFC 9110 13.1.1',
        `${method}, If-Match weak`,
        '412, compared strongly',
        ask({ 'If-Match': 'W/{etag}' }),
        412,
      ),
      entry('RFC 9110 13.1.2', `${method}, If-None-Match: *`, '412, it exists', ask({ 'If-None-Match': '*' }), 412),
      entry(
        'RFC 9110 13.1.2',
        `${method}, If-None-Match of another`,
        '204',
        ask({ 'If-None-Match': '"other"' }),
        204,
        done,
      ),
      entry(
        'D4',
        `${method} of an id that no item has, If-Match`,
        '404 before 412',
        ask({ 'If-Match': '"other"' }, 'nope'),
        404,
      ),
      entry(
        'D4',
        `${method} of an id that no item has, If-Match: *`,
        '404 before 412',
        ask({ 'If-Match': '*' }, 'nope'),
        404,
      ),
      ...(method === 'DELETE'
        ? []
        : [
            entry(
              'D4',
              `${method} without a body, If-Match of another`,
              '400 before 412',
              { method, target: '/api/todo/{key}', headers: { ...JSON_TYPE, 'If-Match': '"other"' } },
              400,
            ),
            entry(
              'D4',
              `${method} of a wrong member, If-Match of another`,
              '400 before 412',
              ask({ 'If-Match': '"other"' }, '{key}', '{"key":"{key}","name":1}'),
              400,
              { pointers: ['/name'] },
            ),
          ]),
    ];
  }),
  entry(
    'D4',
    'PUT of another key, If-Match of another',
    '400 before 412',
    put('{"key":"other"}', { 'If-Match': '"other"' }),
    400,
    { pointers: ['/key'] },
  ),
];
