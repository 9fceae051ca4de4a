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
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
const whole = '{"key":"{key}","name":"New","isComplete":true}';

export const OPERATIONS: readonly ItemCase[] = [
  // GET /api/todo
  {
    clause: '4.1 GET list, D12',
    question: 'the list of a new service',
    answer: '200, one item named Item1, not complete',
    ask: get('/api/todo'),
    status: 200,
    headers: {
      'content-type': 'application/json',
      'content-length': '82',
      vary: 'Accept',
      'cache-control': 'no-cache',
    },
    body: [{ key: '{key}', name: 'Item1', isComplete: false }],
  },
  {
    clause: '4.1.7, D2',
    question: '/API/Todo',
    answer: '200, paths ignore case',
    ask: get('/API/Todo'),
    status: 200,
    body: [{ key: '{key}', name: 'Item1', isComplete: false }],
  },
  {
    clause: '4.3.3',
    question: '/api/todo/ with a trailing slash',
    answer: '200, the list',
    ask: get('/api/todo/'),
    status: 200,
    body: [{ key: '{key}', name: 'Item1', isComplete: false }],
  },
  {
    clause: 'D21',
    question: 'a query that is malformed',
    answer: '200, never fails',
    ask: get('/api/todo?%&a=%zz&=%FF'),
    status: 200,
    body: [{ key: '{key}', name: 'Item1', isComplete: false }],
  },
  {
    clause: 'D3',
    question: 'GET with a body',
    answer: '200, the body is ignored',
    ask: { target: '/api/todo', headers: { 'Content-Type': 'text/plain' }, body: 'not { JSON' },
    status: 200,
    body: [{ key: '{key}', name: 'Item1', isComplete: false }],
  },
  {
    clause: 'D3',
    question: 'GET with a chunked body',
    answer: '200, the body is ignored',
    ask: { target: '/api/todo', body: ['not ', '{ JSON'] },
    status: 200,
    body: [{ key: '{key}', name: 'Item1', isComplete: false }],
  },

  // GET /api/todo/{id}
  {
    clause: '4.1 GET item',
    question: 'the item by its key',
    answer: '200, the item, its ETag and no Vary',
    ask: get('/api/todo/{key}'),
    status: 200,
    headers: { 'content-type': 'application/json', vary: null, 'cache-control': 'no-cache', etag: '{etag}' },
    body: { key: '{key}', name: 'Item1', isComplete: false },
  },
  {
    clause: '4.1 GET item',
    question: 'an id that no item has',
    answer: '404',
    ask: get('/api/todo/nope'),
    status: 404,
  },
  {
    clause: 'D2',
    question: 'the key in upper case',
    answer: '404, ids are compared exactly',
    ask: get('/api/todo/{KEY}'),
    status: 404,
  },
  {
    clause: 'D2',
    question: 'the key in upper case on a path in upper case',
    answer: '404',
    ask: get('/API/TODO/{KEY}'),
    status: 404,
  },
  {
    clause: 'D2',
    question: '/API/TODO/ and the key',
    answer: '200',
    ask: get('/API/TODO/{key}'),
    status: 200,
    body: { key: '{key}', name: 'Item1', isComplete: false },
  },
  {
    clause: 'D21',
    question: 'the key with every character percent-encoded',
    answer: '200, decoded once',
    ask: get('/api/todo/{%key}'),
    status: 200,
    body: { key: '{key}', name: 'Item1', isComplete: false },
  },
  {
    clause: 'D21',
    question: 'the key percent-encoded twice',
    answer: '404, decoded once',
    ask: get('/api/todo/{%25key}'),
    status: 404,
  },
  {
    clause: '4.3.3',
    question: 'the key with a trailing slash',
    answer: '200',
    ask: get('/api/todo/{key}/'),
    status: 200,
    body: { key: '{key}', name: 'Item1', isComplete: false },
  },
  {
    clause: '4.3',
    question: 'the key and two trailing slashes',
    answer: '404',
    ask: get('/api/todo/{key}//'),
    status: 404,
  },
  {
    clause: 'D21',
    question: 'a slash inside the id, encoded',
    answer: '404 of the operation: no item has the id "a/b"',
    ask: get('/api/todo/a%2Fb'),
    status: 404,
  },
  { clause: '7', question: 'an id of __proto__', answer: '404', ask: get('/api/todo/__proto__'), status: 404 },
  { clause: '7', question: 'an id of constructor', answer: '404', ask: get('/api/todo/constructor'), status: 404 },
  { clause: '7', question: 'a path below an item', answer: '404', ask: get('/api/todo/{key}/more'), status: 404 },

  // POST /api/todo
  {
    clause: '4.1.1',
    question: 'POST of an item',
    answer: '201, the item under a new key, its Location and ETag',
    ask: post('{"name":"New","isComplete":true}'),
    status: 201,
    headers: { 'content-type': 'application/json', location: '/api/todo/{new}' },
    body: { key: '{new}', name: 'New', isComplete: true },
    list: [seed, ['New', true]],
  },
  {
    clause: '4.1.1',
    question: 'POST with a key of the client',
    answer: '201, the key is a new one',
    ask: post('{"key":"mine","name":"New"}'),
    status: 201,
    body: { key: '{new}', name: 'New', isComplete: false },
    list: [seed, ['New', false]],
  },
  {
    clause: '4.1.1',
    question: 'POST with the key of another item',
    answer: '201, the key is a new one',
    ask: post('{"key":"{key}","name":"New"}'),
    status: 201,
    body: { key: '{new}', name: 'New', isComplete: false },
    list: [seed, ['New', false]],
  },
  {
    clause: 'D5',
    question: 'POST of {}',
    answer: '201, name null and not complete',
    ask: post('{}'),
    status: 201,
    body: { key: '{new}', name: null, isComplete: false },
    list: [seed, [null, false]],
  },
  {
    clause: 'D7',
    question: 'POST to /API/TODO/',
    answer: '201, Location in lower case without the slash',
    ask: { ...post('{"name":"New"}'), target: '/API/TODO/' },
    status: 201,
    headers: { location: '/api/todo/{new}' },
    body: { key: '{new}', name: 'New', isComplete: false },
    list: [seed, ['New', false]],
  },
  {
    clause: 'D9',
    question: 'POST to an item',
    answer: '404, no route takes it',
    ask: { ...post('{"name":"New"}'), target: '/api/todo/{key}' },
    status: 404,
  },

  // PUT
  {
    clause: '4.1.2',
    question: 'PUT of the whole item',
    answer: '204, replaced',
    ask: put(whole),
    status: 204,
    headers: { 'content-length': null, 'content-type': null },
    list: [['New', true]],
  },
  {
    clause: '4.1.2, D5',
    question: 'PUT of the key alone',
    answer: '204, nothing of the old item is left',
    ask: put('{"key":"{key}"}'),
    status: 204,
    list: [[null, false]],
  },
  {
    clause: 'D3',
    question: 'PUT without a key',
    answer: '400',
    ask: put('{"name":"New"}'),
    status: 400,
    pointers: ['/key'],
  },
  {
    clause: 'D3',
    question: 'PUT with the key null',
    answer: '400',
    ask: put('{"key":null,"name":"New"}'),
    status: 400,
    pointers: ['/key'],
  },
  {
    clause: '4.1 PUT',
    question: 'PUT with another key',
    answer: '400',
    ask: put('{"key":"other","name":"New"}'),
    status: 400,
    pointers: ['/key'],
  },
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
    ([question, body, pointer]): ItemCase => ({
      clause: 'D3',
      question: `PUT with another key, spelled ${question}`,
      answer: `400 at ${pointer}, as it was sent`,
      ask: put(body),
      status: 400,
      pointers: [pointer],
    }),
  ),
  {
    clause: 'D3',
    question: 'PUT with the key in upper case',
    answer: '400, compared exactly',
    ask: put('{"key":"{KEY}","name":"New"}'),
    status: 400,
    pointers: ['/key'],
  },
  {
    clause: 'D3',
    question: 'PUT to the encoded id',
    answer: '204, the decoded id is compared',
    ask: put(whole, {}, '{%key}'),
    status: 204,
    list: [['New', true]],
  },
  {
    clause: '4.1 PUT',
    question: 'PUT to an id that no item has, key equal',
    answer: '404',
    ask: put('{"key":"nope","name":"New"}', {}, 'nope'),
    status: 404,
  },
  {
    clause: '4.1.4, D4',
    question: 'PUT to an id that no item has, key different',
    answer: '400, the body is judged first',
    ask: put(whole, {}, 'nope'),
    status: 400,
    pointers: ['/key'],
  },
  {
    clause: '4.1.4, D4',
    question: 'PUT to an id that no item has, without a body',
    answer: '400, the body is judged first',
    ask: put(undefined, {}, 'nope'),
    status: 400,
  },
  {
    clause: '4.1.4, D4',
    question: 'PUT to an id that no item has, a name of the wrong type',
    answer: '400, the body is judged first',
    ask: put('{"key":"nope","name":1}', {}, 'nope'),
    status: 400,
    pointers: ['/name'],
  },
  {
    clause: 'D9',
    question: 'PUT to the list',
    answer: '404, no route takes it',
    ask: { ...put(whole), target: '/api/todo' },
    status: 404,
  },

  // PATCH
  {
    clause: '4.1.3',
    question: 'PATCH of the name alone',
    answer: '204, stored whole: not complete again',
    ask: patch('{"name":"New"}'),
    status: 204,
    headers: { 'content-length': null, 'content-type': null },
    list: [['New', false]],
  },
  {
    clause: 'D5',
    question: 'PATCH of isComplete alone',
    answer: '204, stored whole: the name is null',
    ask: patch('{"isComplete":true}'),
    status: 204,
    list: [[null, true]],
  },
  {
    clause: 'D5',
    question: 'PATCH of {}',
    answer: '204, name null and not complete',
    ask: patch('{}'),
    status: 204,
    list: [[null, false]],
  },
  {
    clause: '4.1.3',
    question: 'PATCH with another key',
    answer: '204, under the existing key',
    ask: patch('{"key":"other","name":"New"}'),
    status: 204,
    list: [['New', false]],
  },
  {
    clause: '4.1 PATCH',
    question: 'PATCH of an id that no item has',
    answer: '404',
    ask: patch('{"name":"New"}', {}, 'nope'),
    status: 404,
  },
  {
    clause: '4.1.4, D4',
    question: 'PATCH of an id that no item has, without a body',
    answer: '400, the body is judged first',
    ask: patch(undefined, {}, 'nope'),
    status: 400,
  },
  {
    clause: 'D9',
    question: 'PATCH of the list',
    answer: '404, no route takes it',
    ask: { ...patch('{}'), target: '/api/todo' },
    status: 404,
  },

  // DELETE
  {
    clause: '4.1 DELETE',
    question: 'DELETE of the item',
    answer: '204, and it is gone',
    ask: remove(),
    status: 204,
    headers: { 'content-length': null, 'content-type': null },
    list: [],
  },
  {
    clause: '4.1 DELETE',
    question: 'DELETE of an id that no item has',
    answer: '404',
    ask: remove({}, 'nope'),
    status: 404,
  },
  {
    clause: 'D3',
    question: 'DELETE with a body that is no JSON',
    answer: '204, the body is ignored',
    ask: { ...remove({ 'Content-Type': 'text/plain' }), body: '{' },
    status: 204,
    list: [],
  },
  {
    clause: 'D9',
    question: 'DELETE of the list',
    answer: '404, no route takes it',
    ask: { method: 'DELETE', target: '/api/todo' },
    status: 404,
  },
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
  ): ItemCase => ({ clause: 'D3', question: `${method}: ${question}`, answer, ask, status, ...more });
  // PUT says its key beside what the row is about; the other two ignore one.
  const key = method === 'POST' ? '' : '"key":"{key}",';
  const stored = method === 'POST' ? 201 : 204;
  const list = (name: string | null, complete = false) => ({
    list: method === 'POST' ? [seed, [name, complete] as const] : [[name, complete] as const],
  });
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
    row('white space', '400, no JSON', make('  '), 400, { pointers: [''] }),
    row('malformed JSON', '400', make(`{${key}"name":"New"`), 400, { pointers: [''] }),
    row('JSON with a comma too many', '400', make(`{${key}"name":"New",}`), 400, { pointers: [''] }),
    row('JSON and more', '400', make(`{${key}"name":"New"} {}`), 400, { pointers: [''] }),
    row('a name in single quotes', '400', make(`{${key}"name":'New'}`), 400, { pointers: [''] }),
    row('NaN', '400', make('NaN'), 400, { pointers: [''] }),
    row('an array', '400, no object', make('[]'), 400, { pointers: [''] }),
    row('an array with an item', '400, no object', make(`[{${key}"name":"New"}]`), 400, { pointers: [''] }),
    row('a string', '400, no object', make('"New"'), 400, { pointers: [''] }),
    row('a number', '400, no object', make('1'), 400, { pointers: [''] }),
    row('true', '400, no object', make('true'), 400, { pointers: [''] }),
    row(
      'invalid UTF-8',
      '400',
      make(Buffer.concat([Buffer.from(`{${key}"name":"`), Buffer.from([0xff]), Buffer.from('"}')])),
      400,
      { pointers: [''] },
    ),
    row(
      'a surrogate written as UTF-8',
      '400',
      make(Buffer.concat([Buffer.from(`{${key}"name":"`), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')])),
      400,
      { pointers: [''] },
    ),
    row('UTF-16', '400', make(utf16(`{${key}"name":"New"}`)), 400, { pointers: [''] }),
    row('a name that is a number', '400 at /name', make(`{${key}"name":5}`), 400, { pointers: ['/name'] }),
    row('a name that is an object', '400 at /name', make(`{${key}"name":{}}`), 400, { pointers: ['/name'] }),
    row('isComplete that is a string', '400 at /isComplete', make(`{${key}"name":"New","isComplete":"true"}`), 400, {
      pointers: ['/isComplete'],
    }),
    row('isComplete that is null', '400 at /isComplete', make(`{${key}"name":"New","isComplete":null}`), 400, {
      pointers: ['/isComplete'],
    }),
    row('isComplete that is 0', '400 at /isComplete', make(`{${key}"isComplete":0}`), 400, {
      pointers: ['/isComplete'],
    }),
    row('a key that is a number', '400 at /key', make('{"key":5,"name":"New"}'), 400, { pointers: ['/key'] }),
    row('a key that is an array', '400 at /key', make('{"key":["{key}"],"name":"New"}'), 400, { pointers: ['/key'] }),
    row('three wrong members', '400, each with its pointer', make('{"key":1,"name":2,"isComplete":3}'), 400, {
      pointers: ['/key', '/name', '/isComplete'],
    }),
    row('a wrong member in another casing', '400 at the name as it was sent', make(`{${key}"NAME":5}`), 400, {
      pointers: ['/NAME'],
    }),
    row('a name that is null', 'stored', make(`{${key}"name":null}`), stored, list(null)),
    row('a name that is empty', 'stored', make(`{${key}"name":""}`), stored, list('')),
    row(
      'a name with every kind of character',
      'stored as sent',
      make(`{${key}"name":"\\u0000 \\"\\\\ é 日本 😀 \\u2028"}`),
      stored,
      list('\u0000 "\\ é 日本 😀 \u2028'),
    ),
    row('a byte order mark in front', 'stored, it is skipped', make(`\ufeff{${key}"name":"New"}`), stored, list('New')),
    row(
      'names in PascalCase',
      'stored, names ignore case (D1)',
      make(`{${key.replace('key', 'Key')}"Name":"New","IsComplete":true}`),
      stored,
      list('New', true),
    ),
    row(
      'names in capitals',
      'stored, names ignore case (D1)',
      make(`{${key.replace('"key"', '"KEY"')}"NAME":"New","ISCOMPLETE":true}`),
      stored,
      list('New', true),
    ),
    row('a member twice', 'stored, the last wins', make(`{${key}"name":"Old","name":"New"}`), stored, list('New')),
    row(
      'a member twice in two casings',
      'stored, the last wins',
      make(`{${key}"name":"Old","NAME":"New"}`),
      stored,
      list('New'),
    ),
    row(
      'a member three times in two casings',
      'stored, the last wins',
      make(`{${key}"name":"1","NAME":"2","name":"New"}`),
      stored,
      list('New'),
    ),
    row(
      'unknown members',
      'stored without them',
      make(`{${key}"name":"New","colour":"red","nested":{"name":5}}`),
      stored,
      list('New'),
    ),
    row(
      '__proto__',
      'stored, an unknown member',
      make(`{${key}"name":"New","__proto__":{"isComplete":true}}`),
      stored,
      list('New'),
    ),
    row(
      '__PROTO__ and constructor',
      'stored, unknown members',
      make(`{${key}"name":"New","__PROTO__":{"isComplete":true},"constructor":1}`),
      stored,
      list('New'),
    ),
    row('no media type', '415', make(`{${key}"name":"New"}`, { 'Content-Type': [] }), 415, {
      headers: { accept: 'application/json' },
    }),
    row('text/plain', '415', make(`{${key}"name":"New"}`, { 'Content-Type': 'text/plain' }), 415),
    row('a form', '415', make('name=New', { 'Content-Type': 'application/x-www-form-urlencoded' }), 415),
    row('application/jsonp', '415', make(`{${key}"name":"New"}`, { 'Content-Type': 'application/jsonp' }), 415),
    row(
      'application/json-patch',
      '415',
      make(`{${key}"name":"New"}`, { 'Content-Type': 'application/json-patch' }),
      415,
    ),
    row(
      'image/x+json',
      '415, only application/*+json',
      make(`{${key}"name":"New"}`, { 'Content-Type': 'image/x+json' }),
      415,
    ),
    row(
      'text/html; x=application/json',
      '415',
      make(`{${key}"name":"New"}`, { 'Content-Type': 'text/html; x=application/json' }),
      415,
    ),
    row('malformed JSON as text/plain', '415, the media type first', make('{', { 'Content-Type': 'text/plain' }), 415),
    row('text/json', 'stored', make(`{${key}"name":"New"}`, { 'Content-Type': 'text/json' }), stored, list('New')),
    row(
      'Application/JSON',
      'stored',
      make(`{${key}"name":"New"}`, { 'Content-Type': 'Application/JSON' }),
      stored,
      list('New'),
    ),
    ...['application/merge-patch+json', 'Application/Merge-Patch+JSON; charset=utf-8'].map((type) =>
      method === 'PATCH'
        ? row(type, '415 with Accept-Patch (D39)', make('{"name":"New"}', { 'Content-Type': type }), 415, {
            headers: { 'accept-patch': 'application/json', accept: 'application/json' },
          })
        : row(type, 'stored', make(`{${key}"name":"New"}`, { 'Content-Type': type }), stored, list('New')),
    ),
    ...['application/json-patch+json', 'application/vnd.todo+json'].map((type) =>
      row(type, 'stored', make(`{${key}"name":"New"}`, { 'Content-Type': type }), stored, list('New')),
    ),
    row(
      'charset=utf-8',
      'stored',
      make(`{${key}"name":"New"}`, { 'Content-Type': 'application/json;charset=utf-8' }),
      stored,
      list('New'),
    ),
    row(
      'charset="UTF-8" behind another parameter',
      'stored',
      make(`{${key}"name":"New"}`, { 'Content-Type': 'application/json; version=1; charset="UTF-8"' }),
      stored,
      list('New'),
    ),
    row(
      'charset=iso-8859-1',
      '415',
      make(`{${key}"name":"New"}`, { 'Content-Type': 'application/json; charset=iso-8859-1' }),
      415,
    ),
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
      row(
        parameter,
        `415, ${because}`,
        make(`{${key}"name":"New"}`, { 'Content-Type': `application/json; ${parameter}` }),
        415,
        { headers: { accept: 'application/json' } },
      ),
    ),
    ...[
      'charset=utf8',
      'charset=utf-8; charset="UTF-8"',
      ';',
      'x="a;charset=utf-16"',
      'x="\\""; charset="\\utf-8"',
    ].map((parameter) =>
      row(
        `application/json; ${parameter}`,
        'stored',
        make(`{${key}"name":"New"}`, { 'Content-Type': `application/json; ${parameter}` }),
        stored,
        list('New'),
      ),
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
    row('JSON that ends in "position 7"', '400', make('position 7'), 400, { pointers: [''] }),
    row(
      'a body in many chunks that cut characters',
      'stored',
      make([`{${key}`, ...[...Buffer.from('"name":"日本😀"}')].map((byte) => Uint8Array.of(byte))]),
      stored,
      list('日本😀'),
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
  {
    clause: 'D1',
    question: 'PascalCase: the list',
    answer: 'Key, Name, IsComplete',
    settings: { propertyNaming: 'PascalCase' },
    ask: get('/api/todo'),
    status: 200,
    body: [{ Key: '{key}', Name: 'Item1', IsComplete: false }],
  },
  {
    clause: 'D1',
    question: 'PascalCase: the item',
    answer: 'Key, Name, IsComplete',
    settings: { propertyNaming: 'PascalCase' },
    ask: get('/api/todo/{key}'),
    status: 200,
    body: { Key: '{key}', Name: 'Item1', IsComplete: false },
  },
  {
    clause: 'D1',
    question: 'PascalCase: POST in camelCase',
    answer: '201, PascalCase',
    settings: { propertyNaming: 'PascalCase' },
    ask: post('{"name":"New"}'),
    status: 201,
    body: { Key: '{new}', Name: 'New', IsComplete: false },
    list: [seed, ['New', false]],
  },
  {
    clause: 'D1',
    question: 'PascalCase: PUT without a key',
    answer: '400 at /Key',
    settings: { propertyNaming: 'PascalCase' },
    ask: put('{"name":"New"}'),
    status: 400,
    pointers: ['/Key'],
  },
  {
    clause: 'D1',
    question: 'PascalCase: PUT with another key in camelCase',
    answer: '400 at /key, as it was sent',
    settings: { propertyNaming: 'PascalCase' },
    ask: put('{"key":"other","name":"New"}'),
    status: 400,
    pointers: ['/key'],
  },
  {
    clause: 'D1',
    question: 'PascalCase: PUT in PascalCase',
    answer: '204',
    settings: { propertyNaming: 'PascalCase' },
    ask: put('{"Key":"{key}","Name":"New"}'),
    status: 204,
    list: [['New', false]],
  },
  {
    clause: 'D10',
    question: 'PascalCase: members of a problem',
    answer: 'stay as RFC 9457 names them',
    settings: { propertyNaming: 'PascalCase' },
    ask: get('/api/todo/nope'),
    status: 404,
  },
  {
    clause: 'D11',
    question: 'annotated: POST without a name',
    answer: '400 at /name',
    settings: { model: 'annotated' },
    ask: post('{}'),
    status: 400,
    pointers: ['/name'],
  },
  {
    clause: 'D11',
    question: 'annotated: PUT without a name',
    answer: '400 at /name',
    settings: { model: 'annotated' },
    ask: put('{"key":"{key}"}'),
    status: 400,
    pointers: ['/name'],
  },
  {
    clause: 'D11',
    question: 'annotated: PATCH without a name',
    answer: '400 at /name',
    settings: { model: 'annotated' },
    ask: patch('{"isComplete":true}'),
    status: 400,
    pointers: ['/name'],
  },
  {
    clause: 'D11',
    question: 'annotated: a name that is null',
    answer: '400 at /name, not nullable',
    settings: { model: 'annotated' },
    ask: post('{"name":null}'),
    status: 400,
    pointers: ['/name'],
  },
  {
    clause: 'D11',
    question: 'annotated and PascalCase: POST without a name',
    answer: '400 at /Name',
    settings: { model: 'annotated', propertyNaming: 'PascalCase' },
    ask: post('{}'),
    status: 400,
    pointers: ['/Name'],
  },
  {
    clause: 'D11',
    question: 'annotated: a name and nothing else',
    answer: '201, not complete',
    settings: { model: 'annotated' },
    ask: post('{"name":"New"}'),
    status: 201,
    body: { key: '{new}', name: 'New', isComplete: false },
    list: [seed, ['New', false]],
  },
  {
    clause: 'D11',
    question: 'annotated: PUT of the whole item',
    answer: '204',
    settings: { model: 'annotated' },
    ask: put(whole),
    status: 204,
    list: [['New', true]],
  },
  {
    clause: 'D16',
    question: 'a base path, asked with it',
    answer: '200',
    settings: { basePath: '/todo' },
    ask: get('/todo/api/todo/{key}'),
    status: 200,
    body: { key: '{key}', name: 'Item1', isComplete: false },
  },
  {
    clause: 'D16',
    question: 'a base path, asked with it in another case',
    answer: '200',
    settings: { basePath: '/todo' },
    ask: get('/TODO/api/todo/{key}'),
    status: 200,
    body: { key: '{key}', name: 'Item1', isComplete: false },
  },
  {
    clause: 'D16',
    question: 'a base path, asked without it',
    answer: '200',
    settings: { basePath: '/todo' },
    ask: get('/api/todo/{key}'),
    status: 200,
    body: { key: '{key}', name: 'Item1', isComplete: false },
  },
  ...(
    [
      ['a base path, asked with an escape in it', '/todo', '/%74od%6F'],
      ['a base path with an escape, asked without it', '/%41', '/a'],
      ['a base path with an escape, asked with another', '/%c3%a4', '/%C3%84'],
      ['two pieces, one with an escape', '/a/b', '/a/%62'],
    ] as const
  ).map(
    ([question, basePath, asked]): ItemCase => ({
      clause: 'D16, D21',
      question,
      answer: '200',
      settings: { basePath },
      ask: get(`${asked}/api/todo/{key}`),
      status: 200,
      body: { key: '{key}', name: 'Item1', isComplete: false },
    }),
  ),
  {
    clause: 'D16, D21',
    question: 'a base path of two pieces, asked with an encoded slash',
    answer: '404',
    settings: { basePath: '/a/b' },
    ask: get('/a%2Fb/api/todo'),
    status: 404,
  },
  {
    clause: 'D16',
    question: 'a base path, and one that only begins like it',
    answer: '404',
    settings: { basePath: '/todo' },
    ask: get('/todos/api/todo'),
    status: 404,
  },
  {
    clause: 'D16',
    question: 'a base path twice',
    answer: '404, removed once',
    settings: { basePath: '/todo' },
    ask: get('/todo/todo/api/todo'),
    status: 404,
  },
  {
    clause: 'D16',
    question: 'the base path itself',
    answer: '404',
    settings: { basePath: '/todo' },
    ask: get('/todo'),
    status: 404,
  },
  {
    clause: 'D7',
    question: 'a base path, POST with it',
    answer: 'Location behind it',
    settings: { basePath: '/todo' },
    ask: { ...post('{"name":"New"}'), target: '/todo/api/todo' },
    status: 201,
    headers: { location: '/todo/api/todo/{new}' },
    body: { key: '{new}', name: 'New', isComplete: false },
    list: [seed, ['New', false]],
  },
  {
    clause: 'D7',
    question: 'a base path, POST without it',
    answer: 'Location behind it all the same',
    settings: { basePath: '/todo' },
    ask: post('{"name":"New"}'),
    status: 201,
    headers: { location: '/todo/api/todo/{new}' },
    body: { key: '{new}', name: 'New', isComplete: false },
    list: [seed, ['New', false]],
  },
];

const kept = { body: { key: '{key}', name: 'Item1', isComplete: false } };
export const CONDITIONS: readonly ItemCase[] = [
  {
    clause: 'HTTP semantics',
    question: 'GET, If-None-Match of the item',
    answer: '304 with ETag and Cache-Control, no body',
    ask: get('/api/todo/{key}', { 'If-None-Match': '{etag}' }),
    status: 304,
    headers: { etag: '{etag}', 'cache-control': 'no-cache', 'content-length': null, 'content-type': null },
  },
  {
    clause: 'HTTP semantics',
    question: 'GET, If-None-Match weak',
    answer: '304, compared weakly',
    ask: get('/api/todo/{key}', { 'If-None-Match': 'W/{etag}' }),
    status: 304,
  },
  {
    clause: 'HTTP semantics',
    question: 'GET, If-None-Match in a list',
    answer: '304',
    ask: get('/api/todo/{key}', { 'If-None-Match': '"a,b", {etag} , W/"c"' }),
    status: 304,
  },
  {
    clause: 'HTTP semantics',
    question: 'GET, If-None-Match in two lines',
    answer: '304',
    ask: get('/api/todo/{key}', { 'If-None-Match': ['"a"', '{etag}'] }),
    status: 304,
  },
  {
    clause: 'HTTP semantics',
    question: 'GET, If-None-Match: *',
    answer: '304',
    ask: get('/api/todo/{key}', { 'If-None-Match': '*' }),
    status: 304,
  },
  {
    clause: 'HTTP semantics',
    question: 'GET, If-None-Match of another',
    answer: '200',
    ask: get('/api/todo/{key}', { 'If-None-Match': '"other"' }),
    status: 200,
    ...kept,
  },
  {
    clause: 'HTTP semantics',
    question: 'GET, If-None-Match without quotes',
    answer: '200, no entity tag',
    ask: get('/api/todo/{key}', { 'If-None-Match': '{bare}' }),
    status: 200,
    ...kept,
  },
  {
    clause: 'HTTP semantics',
    question: 'GET of an id that no item has, If-None-Match: *',
    answer: '404',
    ask: get('/api/todo/nope', { 'If-None-Match': '*' }),
    status: 404,
  },
  {
    clause: 'HTTP semantics, D8',
    question: 'GET list, If-None-Match of the list',
    answer: '304 with Vary',
    ask: get('/api/todo', { 'If-None-Match': '{list}' }),
    status: 304,
    headers: { etag: '{list}', vary: 'Accept', 'cache-control': 'no-cache' },
  },
  {
    clause: 'D8',
    question: 'GET list as text/plain, If-None-Match of application/json',
    answer: '200, each type has an ETag of its own',
    ask: get('/api/todo', { 'If-None-Match': '{list}', Accept: 'text/plain' }),
    status: 200,
    body: [{ key: '{key}', name: 'Item1', isComplete: false }],
  },
  ...(
    [
      ['item', '/api/todo/{key}', '{etag}', kept.body],
      ['list', '/api/todo', '{list}', [kept.body]],
    ] as const
  ).flatMap(([what, target, tag, body]): ItemCase[] => {
    const row = (question: string, answer: string, headers: Question['headers'], status: number): ItemCase => ({
      clause: 'D38, RFC 9110 13.1.1',
      question: `GET ${what}, ${question}`,
      answer,
      ask: get(target, headers),
      status,
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
  {
    clause: 'RFC 9110 13.2.1',
    question: 'GET of an id that no item has, If-Match: *',
    answer: '404, there is nothing to compare',
    ask: get('/api/todo/nope', { 'If-Match': '*' }),
    status: 404,
  },
  {
    clause: 'D8, D38',
    question: 'GET list as text/plain, If-Match of application/json',
    answer: '412, each type has an ETag of its own',
    ask: get('/api/todo', { 'If-Match': '{list}', Accept: 'text/plain' }),
    status: 412,
  },
  {
    clause: 'RFC 9110 13.2.1',
    question: 'POST with conditions',
    answer: '201, it selects no representation',
    ask: post('{"name":"New"}', { ...JSON_TYPE, 'If-Match': '"other"', 'If-None-Match': '*' }),
    status: 201,
    body: { key: '{new}', name: 'New', isComplete: false },
    list: [seed, ['New', false]],
  },
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
    ([question, body, tagged, stored]): ItemCase => ({
      clause: 'D38, RFC 9110 9.3.4',
      question: `PUT ${question}`,
      answer: tagged ? '204 with the ETag' : '204 without an ETag',
      ask: put(body),
      status: 204,
      tagged,
      list: [stored],
    }),
  ),
  ...(['PUT', 'PATCH', 'DELETE'] as const).flatMap((method): ItemCase[] => {
    const ask = (headers: Question['headers'], id = '{key}', body = whole): Question => ({
      method,
      target: `/api/todo/${id}`,
      headers: { ...JSON_TYPE, ...headers },
      ...(method !== 'DELETE' && { body: body.replace('"{key}"', id === '{key}' ? '"{key}"' : `"${id}"`) }),
    });
    const done = { status: 204, list: method === 'DELETE' ? [] : [['New', true] as const] };
    return [
      {
        clause: 'HTTP semantics',
        question: `${method}, If-Match of the item`,
        answer: '204',
        ask: ask({ 'If-Match': '{etag}' }),
        ...done,
      },
      {
        clause: 'HTTP semantics',
        question: `${method}, If-Match in a list`,
        answer: '204',
        ask: ask({ 'If-Match': '"a", {etag}' }),
        ...done,
      },
      {
        clause: 'HTTP semantics',
        question: `${method}, If-Match: *`,
        answer: '204, it exists',
        ask: ask({ 'If-Match': '*' }),
        ...done,
      },
      {
        clause: 'HTTP semantics',
        question: `${method}, If-Match of another`,
        answer: '412',
        ask: ask({ 'If-Match': '"other"' }),
        status: 412,
      },
      {
        clause: 'RFC 9110 13.1.1',
        question: `${method}, If-Match weak`,
        answer: '412, compared strongly',
        ask: ask({ 'If-Match': 'W/{etag}' }),
        status: 412,
      },
      {
        clause: 'RFC 9110 13.1.2',
        question: `${method}, If-None-Match: *`,
        answer: '412, it exists',
        ask: ask({ 'If-None-Match': '*' }),
        status: 412,
      },
      {
        clause: 'RFC 9110 13.1.2',
        question: `${method}, If-None-Match of another`,
        answer: '204',
        ask: ask({ 'If-None-Match': '"other"' }),
        ...done,
      },
      {
        clause: 'D4',
        question: `${method} of an id that no item has, If-Match`,
        answer: '404 before 412',
        ask: ask({ 'If-Match': '"other"' }, 'nope'),
        status: 404,
      },
      {
        clause: 'D4',
        question: `${method} of an id that no item has, If-Match: *`,
        answer: '404 before 412',
        ask: ask({ 'If-Match': '*' }, 'nope'),
        status: 404,
      },
      ...(method === 'DELETE'
        ? []
        : [
            {
              clause: 'D4',
              question: `${method} without a body, If-Match of another`,
              answer: '400 before 412',
              ask: { method, target: '/api/todo/{key}', headers: { ...JSON_TYPE, 'If-Match': '"other"' } },
              status: 400,
            },
            {
              clause: 'D4',
              question: `${method} of a wrong member, If-Match of another`,
              answer: '400 before 412',
              ask: ask({ 'If-Match': '"other"' }, '{key}', '{"key":"{key}","name":1}'),
              status: 400,
              pointers: ['/name'],
            },
          ]),
    ];
  }),
  {
    clause: 'D4',
    question: 'PUT of another key, If-Match of another',
    answer: '400 before 412',
    ask: put('{"key":"other"}', { 'If-Match': '"other"' }),
    status: 400,
    pointers: ['/key'],
  },
];
