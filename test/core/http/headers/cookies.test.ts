/** Cookies of a request, the line of `cookie(…)`, and the cookies that browsers would ignore (RFC 6265). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contextWith } from '../../../../src/core/http/context-with.ts';
import { type CookieOptions, cookie } from '../../../../src/core/http/headers/cookies.ts';
import { headerOf, redirect, text, withHeaders } from '../../../../src/core/http/replies.ts';
import { contextFor } from '../../../../src/testing.ts';

for (const [header, expected] of [
  [undefined, []],
  ['', []],
  ['a=1', [['a', '1']]],
  [
    'a=1; b=2;c=3',
    [
      ['a', '1'],
      ['b', '2'],
      ['c', '3'],
    ],
  ],
  ['a=1; a=2', [['a', '1']]],
  ['a=1=2==', [['a', '1=2==']]],
  ['a=', [['a', '']]],
  ['a', []],
  ['=a', []],
  [' ; ;a=1;', [['a', '1']]],
  ['a="b c"', [['a', 'b c']]],
  ['a="', [['a', '"']]],
  ['a=%C3%BC%2C', [['a', 'ü,']]],
  [
    'a=100%; b=%ff',
    [
      ['a', '100%'],
      ['b', '%ff'],
    ],
  ],
  [
    '__proto__=1; constructor=2',
    [
      ['__proto__', '1'],
      ['constructor', '2'],
    ],
  ],
] as const)
  test(`RFC 6265 §5.4 – Cookie: ${header} → ${JSON.stringify(expected)}`, () => {
    const context = contextFor('/', { headers: header === undefined ? {} : { Cookie: header } });
    assert.deepEqual([...context.cookies], expected);
  });

test('D46 – a copy of a context with other headers → the cookies of these headers', () => {
  const context = contextFor('/', { headers: { Cookie: 'a=1' } });
  assert.equal(contextWith(context, { path: '/b' }).cookies.get('a'), '1');
  assert.deepEqual(
    [...contextWith(context, { headers: { cookie: 'a=2; b=3' } }).cookies],
    [
      ['a', '2'],
      ['b', '3'],
    ],
  );
  assert.equal(contextWith(context, { headers: {} }).cookies.size, 0);
});

const SECURE = { secure: true } as const;
for (const [name, value, options, expected] of [
  ['sid', 'a1', {}, 'sid=a1; Path=/; HttpOnly; SameSite=Lax'],
  ['sid', 'a1', { httpOnly: false, sameSite: 'Strict', path: '/app' }, 'sid=a1; Path=/app; SameSite=Strict'],
  ['sid', '', { maxAge: 0 }, 'sid=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'],
  ['__Host-sid', 'a', SECURE, '__Host-sid=a; Path=/; HttpOnly; Secure; SameSite=Lax'],
  [
    'sid',
    'a',
    { ...SECURE, sameSite: 'None', partitioned: true, domain: 'a.example', maxAge: 60 },
    'sid=a; Path=/; Domain=a.example; Max-Age=60; HttpOnly; Secure; SameSite=None; Partitioned',
  ],
] as const satisfies readonly (readonly [string, string, CookieOptions, string])[])
  test(`RFC 6265 §4.1 – cookie ${name}, ${JSON.stringify(options)} → ${expected}`, () =>
    assert.deepEqual(cookie(name, value, options), ['Set-Cookie', expected]));

for (const value of [
  'a b',
  'a;b',
  '"a"',
  'ü✓😀',
  '100%',
  '%41',
  'a,b\\c',
  'a=b',
  '\t\r\n\0',
  "!#$&'()*+-./:<=>?@[]^_`{|}~",
])
  test(`RFC 6265 §4.1.1 – the value ${JSON.stringify(value)} → sent in ASCII, read as it was`, () => {
    const [, line] = cookie('a', value);
    assert.match(line, /^a=[!#-+\--:<-[\]-~]*; Path/);
    const { cookies } = contextFor('/', { headers: { Cookie: line.split(';')[0]! } });
    assert.equal(cookies.get('a'), value);
  });

for (const [name, value, options, message] of [
  ['', 'a', {}, /its name is not a token/],
  ['a b', 'a', {}, /its name is not a token/],
  ['a=', 'a', {}, /its name is not a token/],
  ['a', '\ud800', {}, /its value is not a valid text/],
  ['a', 7, {}, /its value is not a valid text/],
  ['a', 'x'.repeat(4096), {}, /more than 4096 characters; store the value, and send its id/],
  ['a', 'ü'.repeat(700), {}, /more than 4096 characters/],
  ['a', 'b', { maxAge: 1.5 }, /its maxAge is "?1.5"?; give whole seconds/],
  ['a', 'b', { maxAge: -1 }, /its maxAge/],
  ['a', 'b', { maxAge: Number.NaN }, /its maxAge/],
  ['a', 'b', { sameSite: 'lax' }, /its sameSite/],
  ['a', 'b', { secure: 'false' }, /not a boolean; give true or false/],
  ['a', 'b', { httpOnly: null }, /not a boolean/],
  ['__Http-a', 'b', {}, /prefix without Secure/],
  ['__Http-a', 'b', { secure: true, httpOnly: false }, /prefix without HttpOnly/],
  ['__Host-Http-a', 'b', { secure: true, httpOnly: false }, /prefix without HttpOnly/],
  ['a', 'b', { sameSite: 'None' }, /SameSite=None without Secure; add secure: true/],
  ['a', 'b', { partitioned: true }, /Partitioned without Secure/],
  ['__Host-a', 'b', {}, /prefix without Secure/],
  ['__Secure-a', 'b', {}, /prefix without Secure/],
  ['__host-a', 'b', { secure: true, path: '/a' }, /"__Host-" with a domain or a path/],
  ['__Host-a', 'b', { secure: true, domain: 'a.example' }, /"__Host-" with a domain or a path/],
  ['a', 'b', { path: 'a' }, /its path is "a"; give a path that begins with "\/"/],
  ['a', 'b', { path: '/a;b' }, /its path/],
  ['a', 'b', { path: `/${'a'.repeat(1024)}` }, /its path/],
  ['a', 'b', { domain: '.a.example' }, /its domain is ".a.example"/],
  ['a', 'b', { domain: 'a; Secure' }, /its domain/],
  ['a', 'b', { domain: '' }, /its domain/],
  ['a', 'b', { maxage: 1 }, /maxage/],
] as const)
  test(`RFC 6265 §5.2 – cookie ${name} with ${JSON.stringify(options)} → an error that names the cookie`, () =>
    assert.throws(
      () => cookie(name, value as string, options as CookieOptions),
      (error: Error) => {
        assert.match(error.message, message);
        assert.ok(error.message.includes(`set the cookie ${JSON.stringify(name)}`), error.message);
        return error instanceof TypeError;
      },
    ));

test('several cookies of a reply → a line each, and a further cookie replaces none', () => {
  const reply = redirect('/', 303, {
    headers: [...cookie('a', '1'), ...cookie('b', '2'), 'Cache-Control', 'no-store'],
  });
  const { headers } = withHeaders(reply, cookie('c', '3'));
  const lines = headers as readonly string[];
  assert.deepEqual(
    lines.filter((_, at) => lines[at - 1] === 'Set-Cookie').map((line) => line.slice(0, 3)),
    ['a=1', 'b=2', 'c=3'],
  );
  assert.equal(headerOf(reply, 'Cache-Control'), 'no-store');
  assert.equal(headerOf(text('a', { headers: cookie('a', '1') }), 'Set-Cookie'), cookie('a', '1')[1]);
});

test('a cookie that is spread into an object of headers → an error that names the list', () => {
  assert.throws(() => text('', { headers: { 'X-A': 'b', ...cookie('sid', 'a') } }), /write a list: \[\.\.\.cookie/);
});
