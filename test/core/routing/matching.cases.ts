/** Requests that the recorded answers do not cover, one in each row. */
import type { RouteOptions } from '../../../src/core/routing/route.ts';

type RouteRow = string | ({ readonly template: string } & RouteOptions);

/** Routes in order, a request, and the route that matches with its values, or null. */
export interface MatchCase {
  readonly clause: string;
  readonly routes: readonly RouteRow[];
  readonly ask: readonly [method: string, path: string];
  readonly want: { readonly route: number; readonly values: Readonly<Record<string, string>> } | null;
  readonly because: string;
}

const row = (
  clause: string,
  routes: readonly RouteRow[],
  path: string,
  want: Readonly<Record<string, string>> | null,
  because: string,
  route = 0,
  method = 'GET',
): MatchCase => ({ clause, routes, ask: [method, path], want: want && { route, values: want }, because });

export const MATCHES: readonly MatchCase[] = [
  row('D21', ['a/{b}'], '/a/x%2Fy', { b: 'x/y' }, 'an encoded slash never splits'),
  row('D21', ['a/{b}'], '/a/x+y', { b: 'x+y' }, 'a plus is no blank'),
  row('D21', ['a/{b}'], '/a/%2541', { b: '%41' }, 'decoded once, not twice'),
  row('D21', ['ü/{b}'], '/%C3%9C/1', { b: '1' }, 'literals compare decoded, ignoring case'),
  row('D21', ['a b'], '/A%20B', {}, 'a blank in a literal'),
  row('D21', ['a%20b'], '/a%2520b', {}, 'a percent sign in a template is itself'),
  row('D21', ['a%20b'], '/a%20b', null, 'and not an escape'),
  row('D21', ['{*rest}'], '/a%2Fb/c%20d/', { rest: 'a/b/c d/' }, 'the rest joins decoded segments'),
  row('D21', ['api/todo'], '/%61pi/t%6Fdo', {}, 'escapes that need not be there'),
  row('D21', ['straße'], '/STRASSE', null, 'ß is not SS'),
  row('D21', ['{a}/x'], '/%2F/x', { a: '/' }, 'a value that is a slash'),
  row('S1', ['files/{filename}.{ext?}'], '/files/name.', { filename: 'name' }, 'the trailing period is optional'),
  row('D24', ['files/{filename}.{ext?}'], '/files/.', null, 'but the name is not'),
  row('D24', ['files/{filename}.{ext?}'], '/files/x..', { filename: 'x', ext: '.' }, 'the whole attempt comes first'),
  row('D24', ['files/{filename}.{ext?}'], '/files/a.b.', { filename: 'a', ext: 'b.' }, 'and it reads from the right'),
  row('D24', ['.{ext?}'], '/.', null, 'a period alone is no match'),
  row('D24', ['x{a}.{b?}'], '/xy.', { a: 'y' }, 'with a literal in front'),
  row('D24', ['{a}-{b}.{c?}'], '/1-2.', { a: '1', b: '2' }, 'with two parameters in front'),
  row('D24', ['{f:int}.{ext?}'], '/12.', { f: '12' }, 'constraints see the name without its period'),
  row('D24', ['{f:int}.{ext?}'], '/1a.', null, 'and refuse it'),
  row(
    'S4',
    [String.raw`{t:regex(^\d\d:\d\d$):length(5)}`],
    '/11%3A45',
    { t: '11:45' },
    'two constraints, the first with a colon inside',
  ),
  row('D25', [String.raw`{t:regex(^\d\d:\d\d$):length(4)}`], '/11%3A45', null, 'the second counts'),
  row('D25', ['{t:regex([a=b]+)=(a)}'], '/a=b', { t: 'a=b' }, 'a default behind an argument with an equals sign'),
  row('D25', ['{t:regex([a=(]+)=(a}'], '/', { t: '(a' }, 'which is constrained as well'),
  row('D25', ['{t:regex((a):b):maxlength(3)}'], '/a:b', { t: 'a:b' }, 'a closing parenthesis before a colon, inside'),
  row('D25', [String.raw`{t:regex([)]:x):length(3)}`], '/):x', { t: '):x' }, 'a parenthesis in a class'),
  row('D25', [String.raw`{t:regex(\):x):length(3)}`], '/):x', { t: '):x' }, 'an escaped parenthesis'),
  row('S3', ['{v:regex(list|get|create)}'], '/listing', null, 'an alternation limits the value to a set'),
  row('S3', ['{v:regex(list|get|create)}'], '/GET', { v: 'GET' }, 'ignoring case'),
  row('D22', [String.raw`{v:regex(\p{{Lu}})}`], '/%C3%A9', { v: 'é' }, 'the flag u, and i with it'),
  row('D22', [String.raw`{v:regex(\-x)}`], '/-x', { v: '-x' }, 'without the flag u where it does not compile with it'),
  row(
    'S2',
    [{ template: '{id}', constraints: { id: 'int' } }],
    '/int',
    null,
    'a known name outside is that constraint',
  ),
  row('D23', [{ template: '{id}', constraints: { ID: 'range(1,5)' } }], '/4', { id: '4' }, 'with arguments too'),
  row('D23', [{ template: '{id}', constraints: { id: 'range(1,5)' } }], '/6', null, 'which count'),
  row(
    'D23',
    [{ template: '{id}', constraints: { id: 'integer' } }],
    '/integer',
    { id: 'integer' },
    'any other text is an expression',
  ),
  row('D23', [{ template: '{id}', constraints: { id: /^[A-Z]+$/ } }], '/abc', null, 'a RegExp keeps its flags'),
  row('D23', [{ template: '{id}', constraints: { id: /b/i } }], '/abc', null, 'and has to take the whole value'),
  row('D26', ['files/{*p}'], '/files', { p: '' }, 'the empty rest is present'),
  row('D26', ['files/{*p}'], '/files/', { p: '' }, 'with the slash as well'),
  row('D26', ['files/{*p:regex(.*)}'], '/files', { p: '' }, 'constraints see the empty text'),
  row('D26', ['files/{*p:minlength(1)}'], '/files', null, 'and may refuse it'),
  row('D26', ['files/{*p:int}'], '/files', null, 'which is no number'),
  row('D26', ['files/{*p:alpha}'], '/files', { p: '' }, 'but has only letters'),
  row('D26', ['files/{*p:required}'], '/files/', null, 'and is not something'),
  row(
    'D26',
    [{ template: 'files/{*p}', constraints: { p: '' } }],
    '/files',
    { p: '' },
    'an outside constraint sees it too',
  ),
  row('D26', ['files/{*p=index}'], '/files/', { p: 'index' }, 'a default comes first'),
  row('B.3.2', ['files/{*p}'], '/files/a/b/', { p: 'a/b/' }, 'the rest keeps its trailing slash'),
  row('B.1.3', ['{*p}'], '//a', null, 'the rest cannot begin with an empty segment'),
  row('B.1.3', ['{x}/{*p}'], '/a/b//c', { x: 'a', p: 'b//c' }, 'but hold one'),
  row(
    '4.3.3',
    ['package/{operation}/{id:int}'],
    '/package/open/5/',
    { operation: 'open', id: '5' },
    'one trailing slash',
  ),
  row('4.3.3', ['a'], '/a//', null, 'not two'),
  row(
    '4.3.5',
    ['{controller=Home}/{action=Index}/{id?}'],
    '/',
    { controller: 'Home', action: 'Index' },
    'only defaults',
  ),
  row('4.3.4', [{ template: 'a', method: 'POST' }], '/a', null, 'another method falls through'),
  row('D33', [{ template: 'a', method: ['get', 'Head'] }], '/a', {}, 'several methods, ignoring case', 0, 'HEAD'),
  row('D33', [{ template: 'a', method: 'GET' }], '/a', {}, 'the asked one too', 0, 'get'),
  row('D33', [{ template: 'a', method: 'GET' }], '/a', null, 'GET is not HEAD', 0, 'HEAD'),
  row('D33', [{ template: 'a', method: 'PURGE' }, 'a'], '/a', {}, 'a method of their own', 0, 'PURGE'),
  row(
    'D34',
    ['{constructor}/{__proto__}'],
    '/a/b',
    { constructor: 'a', ['__proto__']: 'b' },
    'names that objects have by birth',
  ),
  row('D34', ['{toString?}'], '/', {}, 'nothing is inherited'),
  row('4.3', ['a/{id:int}', 'a/{id}'], '/a/x', { id: 'x' }, 'the first that accepts', 1),
  row('4.3', ['a/{id}', 'a/x'], '/a/x', { id: 'x' }, 'order comes before exactness'),
  row('4.3', ['{*p}', 'a'], '/a', { p: 'a' }, 'a catch-all in front takes all'),
  row('B.4', ['{a}-{b}'], '/x-y-z', { a: 'x-y', b: 'z' }, 'from the right'),
  row('B.4', ['{a}aa{b}'], '/aaaaa', { a: 'aa', b: 'a' }, 'greedily'),
  row('B.4', ['{a}-{b}'], '/--', null, 'without going back'),
  row('B.5.3', [{ template: '{id:int?}', defaults: { id: null } }], '/', null, 'a default of null is not absent'),
];
