/** Links that neither the recorded answers nor the page on routing has, one in each row. */
import type { LinkValues } from '../../../src/core/routing/route.ts';
import type { RouteCollectionOptions } from '../../../src/core/routing/route-collection.ts';
import type { RouteRow } from '../../support/unanswered.ts';

/** Routes in order, the given values, and the link or null. */
export interface LinkCase {
  readonly clause: string;
  readonly routes: readonly RouteRow[];
  readonly values: LinkValues;
  readonly want: string | null;
  readonly because: string;
  readonly ambient?: Readonly<Record<string, string>>;
  readonly name?: string;
  readonly options?: RouteCollectionOptions;
}

const link = (
  clause: string,
  routes: LinkCase['routes'],
  values: LinkValues,
  want: string | null,
  because: string,
  more: Partial<LinkCase> = {},
): LinkCase => ({ clause, routes, values, want, because, ...more });

export const LINKS: readonly LinkCase[] = [
  link('D30', ['{*p}'], { p: '/evil.example/x' }, '/evil.example/x', 'the first slash is not doubled (E.4.9)'),
  link('D30', ['{*p}'], { p: '//evil.example/x' }, null, 'two slashes at the start lead to another host'),
  link('D30', ['{*p}'], { p: '///' }, null, 'three slashes do too'),
  link('D30', ['names/{x}'], { x: '..' }, null, 'a client removes the segment and the segment before it'),
  link('D30', ['names/{x}/of'], { x: '.' }, null, 'a client removes the segment'),
  link('D30', ['names/{*p}'], { p: 'a/../b' }, null, 'a catch-all may have several segments'),
  link('D30', ['names/{*p}'], { p: '..' }, null, 'a catch-all may have one segment'),
  link('D30', ['names/{x}.{y}'], { x: '.', y: '.' }, '/names/...', 'three dots are an ordinary segment'),
  link('D30', ['names/{x}.{y?}'], { x: '.' }, null, 'the period before a missing parameter is omitted'),
  link('D30', ['names/{x=..}/{y}'], { y: 'a' }, null, 'a default may be two dots too'),
  link('D30', ['names/{x}'], { x: '..a' }, '/names/..a', 'two dots and a letter are an ordinary segment'),
  link('D30', ['names/{x}'], { x: '%2e%2e' }, '/names/%252e%252e', 'an escape is escaped again'),
  link('D30', ['{*p}'], { p: '\\evil.example' }, '/%5Cevil.example', 'for browsers, a backslash is a slash'),
  link('D30', ['{*p}'], { p: '/\\evil.example' }, '/%5Cevil.example', 'a backslash after a slash is encoded'),
  link('D30', ['{x}/{*p}'], { x: '/', p: 'evil.example' }, null, 'the first slash is the whole value'),
  link('D30', ['{x}/{y}'], { x: '/', y: 'evil.example' }, null, 'the value of a plain parameter may be a slash too'),
  link('D30', ['{x}'], { x: '//evil.example' }, '/%2Fevil.example', 'a slash of a plain value is escaped'),
  link('D30', ['files/{*p}'], { p: '//x' }, '/files///x', 'after a literal, slashes do not lead to another host'),
  link('D26', ['files/{*p}'], { p: 'a b/c/d+e' }, '/files/a%20b/c/d%2Be', 'slashes of a catch-all stay'),
  link('D26', ['files/{*p=a/b}/'], { p: 'a/b' }, '/files', 'a default at the end is omitted'),
  link('D26', ['files/{*p}'], { p: 'a/b' }, '/files/a/b/', 'with a trailing slash too', {
    options: { appendTrailingSlash: true },
  }),
  link('D27', [''], { q: '1' }, '/?q=1', 'with a query'),
  link('D28', ['{a?}/b', 'x'], {}, '/x', 'a route without a link does not affect the next route', {
    ambient: { z: '1' },
  }),
  link(
    'S5',
    [{ template: '{a?}/{b}', defaults: { c: '1' } }, 'x'],
    { b: '2' },
    '/x?b=2',
    'ambient values that match no parameter are ignored',
    { ambient: { q: 'leak' } },
  ),
  link('D30', ['{a}/{b}'], { a: 'x/y', b: '100%' }, '/x%2Fy/100%25', 'encoded once'),
  link(
    'D34',
    ['a/{id}'],
    { id: 42, ok: true, none: undefined, tag: ['x', 2, null, ''] },
    '/a/42?ok=true&tag=x&tag=2',
    'other types become texts',
  ),
  link(
    'D34',
    ['a'],
    [
      ['2', 'b'],
      ['1', 'a'],
    ],
    '/a?2=b&1=a',
    'pairs keep their order',
  ),
  link('D34', ['names/{x}'], { x: [] }, null, 'a list without members is not a value'),
  link('D34', ['names/{x}'], { x: ['a', 'b'] }, '/names/a,b', 'commas join the members of a list in a path'),
  link('D34', ['{constructor}'], { constructor: 'x' }, '/x', 'inherited names'),
  link('D34', ['{constructor?}'], {}, '/', 'inherited members are not values'),
  link('E.2', ['{name:min(5)?}'], { name: '', q: '1' }, '/?q=1', 'an empty value is dropped before constraints see it'),
  link('E.3', [{ template: 'a', constraints: { area: 'required' } }], {}, '/a', 'may be ambient', {
    ambient: { area: 'x' },
  }),
  link('E.5', ['a', { template: 'b', name: 'Bee' }], {}, '/b', 'a name, ignoring case', { name: 'BEE' }),
  link('E.5', ['a'], {}, null, 'an unknown name', { name: 'none' }),
  link('E.5', ['Á/{B}'], { B: 'X', Q: 'Y' }, '/%c3%81/x?Q=Y', 'the path in lower case, escapes too', {
    options: { lowercaseUrls: true },
  }),
  link('E.5', ['a/{b}'], { b: 'ä\ud800!$()*,;@~' }, '/a/%C3%A4%EF%BF%BD!$()*,;@~', 'characters that are not encoded'),
];
