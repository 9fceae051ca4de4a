/** Requests that neither the recorded answers nor the page on routing has, one in each row. */
import type { RouteRow } from '../../support/unanswered.ts';

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
  row('D21', ['a b'], '/A%20B', {}, 'a blank in a literal'),
  row('D21', ['a%20b'], '/a%2520b', {}, 'a percent sign in a template is itself'),
  row('D21', ['a%20b'], '/a%20b', null, 'it is not an escape'),
  row('D21', ['{*rest}'], '/a%2Fb/c%20d/', { rest: 'a/b/c d/' }, 'the rest joins decoded segments'),
  row('D21', ['api/todo'], '/%61pi/t%6Fdo', {}, 'unnecessary escapes'),
  row('D21', ['{a}/x'], '/%2F/x', { a: '/' }, 'a value that is a slash'),
  row('D24', ['files/{filename}.{ext?}'], '/files/x..', { filename: 'x', ext: '.' }, 'the whole template first'),
  row('D24', ['files/{filename}.{ext?}'], '/files/a.b.', { filename: 'a', ext: 'b.' }, 'read from the right'),
  row('D24', ['.{ext?}'], '/.', null, 'a period alone does not match'),
  row('D24', ['x{a}.{b?}'], '/xy.', { a: 'y' }, 'with a literal before it'),
  row('D24', ['{a}-{b}.{c?}'], '/1-2.', { a: '1', b: '2' }, 'with two parameters in front'),
  row('D24', ['{f:int}.{ext?}'], '/12.', { f: '12' }, 'constraints see the name without its period'),
  row('D24', ['{f:int}.{ext?}'], '/1a.', null, 'the constraint rejects the name'),
  row('S4', [String.raw`{t:regex(^\d\d:\d\d$):length(5)}`], '/11%3A45', { t: '11:45' }, 'a colon inside'),
  row('D25', [String.raw`{t:regex(^\d\d:\d\d$):length(4)}`], '/11%3A45', null, 'the second rejects it'),
  row('D25', ['{t:regex([a=b]+)=(a)}'], '/a=b', { t: 'a=b' }, 'a default behind an argument with an equals sign'),
  row('D25', ['{t:regex([a=(]+)=(a}'], '/', { t: '(a' }, 'the default must fulfill the constraint too'),
  row('D25', ['{t:regex((a):b):maxlength(3)}'], '/a:b', { t: 'a:b' }, 'a closing parenthesis before a colon, inside'),
  row('D25', [String.raw`{t:regex([)]:x):length(3)}`], '/):x', { t: '):x' }, 'a parenthesis in a class'),
  row('D25', [String.raw`{t:regex(\):x):length(3)}`], '/):x', { t: '):x' }, 'an escaped parenthesis'),
  row('D22', [String.raw`{v:regex(\p{{Lu}})}`], '/%C3%A9', { v: 'é' }, 'the flag u, and i with it'),
  row('D22', [String.raw`{v:regex(\-x)}`], '/-x', { v: '-x' }, 'no flag u if it does not compile with it'),
  row('D23', [{ template: '{id}', constraints: { ID: 'range(1,5)' } }], '/4', { id: '4' }, 'arguments in the options'),
  row(
    'D23',
    [{ template: '{id}', constraints: { id: 'integer' } }],
    '/integer',
    { id: 'integer' },
    'an unknown name is an expression',
  ),
  row('D23', [{ template: '{id}', constraints: { id: /b/i } }], '/abc', null, 'a RegExp must match the whole value'),
  row('D26', ['files/{*p:regex(.*)}'], '/files', { p: '' }, 'constraints see the empty text'),
  row('D26', ['files/{*p:minlength(1)}'], '/files', null, 'constraints may reject the empty text'),
  row('D26', ['files/{*p:int}'], '/files', null, 'the empty text is not a number'),
  row('D26', [{ template: 'files/{*p}', constraints: { p: '' } }], '/files', { p: '' }, 'an empty expression'),
  row('B.1.3', ['{*p}'], '//a', null, 'the rest cannot begin with an empty segment'),
  row('D33', [{ template: 'a', method: ['get', 'Head'] }], '/a', {}, 'several methods, ignoring case', 0, 'HEAD'),
  row('D33', [{ template: 'a', method: 'GET' }], '/a', {}, 'the method of the request ignores case too', 0, 'get'),
  row('D33', [{ template: 'a', method: 'PURGE' }, 'a'], '/a', {}, 'a custom method', 0, 'PURGE'),
  row('D33', [{ template: 'a', method: '*' }], '/a', {}, 'a star matches any method', 0, 'PURGE'),
  row('D33', [{ template: 'a', method: ['GET', '*'] }], '/a', {}, 'also in a list', 0, 'PURGE'),
  row('D34', ['{constructor}/{__proto__}'], '/a/b', { constructor: 'a', ['__proto__']: 'b' }, 'inherited names'),
  row('D34', ['{toString?}'], '/', {}, 'nothing is inherited'),
  row('B.4', ['{a}aa{b}'], '/aaaaa', { a: 'aa', b: 'a' }, 'greedily'),
];
