/** Links that the recorded answers do not cover, one in each row. */
import type { LinkValues } from '../../../src/core/routing/link-route.ts';
import type { RouteOptions } from '../../../src/core/routing/route.ts';
import type { RouteCollectionOptions } from '../../../src/core/routing/route-collection.ts';

/** Routes in order, the given values, and the link or null. */
export interface LinkCase {
  readonly clause: string;
  readonly routes: readonly (string | ({ readonly template: string } & RouteOptions))[];
  readonly values: LinkValues;
  readonly want: string | null;
  readonly because: string;
  readonly ambient?: Readonly<Record<string, string>>;
  readonly name?: string;
  readonly options?: RouteCollectionOptions;
}

export const LINKS: readonly LinkCase[] = [
  {
    clause: 'D30',
    routes: ['{*p}'],
    values: { p: '/evil.example/x' },
    want: '/evil.example/x',
    because: 'the first slash is not doubled (E.4.9)',
  },
  {
    clause: 'D30',
    routes: ['{*p}'],
    values: { p: '//evil.example/x' },
    want: null,
    because: 'two slashes at the start lead to another host',
  },
  {
    clause: 'D30',
    routes: ['{*p}'],
    values: { p: '///' },
    want: null,
    because: 'so do three',
  },
  {
    clause: 'D30',
    routes: ['{*p}'],
    values: { p: '\\evil.example' },
    want: '/%5Cevil.example',
    because: 'a browser takes a backslash for a slash, but not its escape',
  },
  {
    clause: 'D30',
    routes: ['{*p}'],
    values: { p: '/\\evil.example' },
    want: '/%5Cevil.example',
    because: 'nor behind a slash',
  },
  {
    clause: 'D30',
    routes: ['{x}/{*p}'],
    values: { x: '/', p: 'evil.example' },
    want: null,
    because: 'the first slash is the whole value',
  },
  {
    clause: 'D30',
    routes: ['{x}/{y}'],
    values: { x: '/', y: 'evil.example' },
    want: null,
    because: 'a value that is no catch-all may be a slash too',
  },
  {
    clause: 'D30',
    routes: ['{x}'],
    values: { x: '//evil.example' },
    want: '/%2Fevil.example',
    because: 'a slash in such a value is escaped',
  },
  {
    clause: 'D30',
    routes: ['files/{*p}'],
    values: { p: '//x' },
    want: '/files///x',
    because: 'behind a literal they lead nowhere else',
  },
  {
    clause: 'D26',
    routes: ['files/{*p}'],
    values: { p: 'a b/c/d+e' },
    want: '/files/a%20b/c/d%2Be',
    because: 'slashes of a catch-all stay',
  },
  {
    clause: 'D26',
    routes: ['files/{p}'],
    values: { p: 'a/b' },
    want: '/files/a%2Fb',
    because: 'those of another value do not',
  },
  {
    clause: 'D26',
    routes: ['files/{*p=a/b}/'],
    values: { p: 'a/b' },
    want: '/files',
    because: 'a default at the end is left out',
  },
  {
    clause: 'D26',
    routes: ['files/{*p}'],
    values: { p: 'a/b' },
    options: { appendTrailingSlash: true },
    want: '/files/a/b/',
    because: 'with a trailing slash too',
  },
  {
    clause: 'D27',
    routes: ['{controller=Home}/{action=Index}'],
    values: {},
    want: '/',
    because: 'never the empty text',
  },
  { clause: 'D27', routes: [''], values: { q: '1' }, want: '/?q=1', because: 'with a query' },
  {
    clause: 'D28',
    routes: ['{a?}/b', 'x'],
    values: {},
    ambient: { z: '1' },
    want: '/x',
    because: 'a route that fails late leaves nothing behind',
  },
  {
    clause: 'S5',
    routes: [{ template: '{a?}/{b}', defaults: { c: '1' } }, 'x'],
    values: { b: '2' },
    ambient: { q: 'leak' },
    want: '/x?b=2',
    because: 'ambient values that match no parameter are ignored',
  },
  {
    clause: 'D30',
    routes: ['{a}/{b}'],
    values: { a: 'x/y', b: '100%' },
    want: '/x%2Fy/100%25',
    because: 'encoded once',
  },
  {
    clause: 'D33',
    routes: [{ template: 'a', method: 'POST' }],
    values: {},
    want: '/a',
    because: 'a method does not restrict links',
  },
  {
    clause: 'D34',
    routes: ['a/{id}'],
    values: { id: 42, ok: true, none: undefined, tag: ['x', 2, null, ''] },
    want: '/a/42?ok=true&tag=x&tag=2',
    because: 'values as text',
  },
  {
    clause: 'D34',
    routes: ['a/{id?}'],
    values: { id: null },
    ambient: { id: '5' },
    want: '/a',
    because: 'null is given, but empty',
  },
  {
    clause: 'D34',
    routes: ['a/{id?}'],
    values: { id: undefined },
    ambient: { id: '5' },
    want: '/a/5',
    because: 'undefined is not given',
  },
  {
    clause: 'D34',
    routes: ['a'],
    values: [
      ['2', 'b'],
      ['1', 'a'],
    ],
    want: '/a?2=b&1=a',
    because: 'pairs keep their order',
  },
  {
    clause: 'D34',
    routes: ['{constructor}'],
    values: { constructor: 'x' },
    want: '/x',
    because: 'names that objects have by birth',
  },
  { clause: 'D34', routes: ['{constructor?}'], values: {}, want: '/', because: 'are not there unless given' },
  {
    clause: 'E.2',
    routes: ['{a}/{b}/{c}'],
    values: { b: '9' },
    ambient: { a: '1', b: '2', c: '3' },
    want: null,
    because: 'a changed value ends the reuse',
  },
  {
    clause: 'E.2',
    routes: ['{a}/{b}/{c}'],
    values: { a: '1' },
    ambient: { a: '1', b: '2', c: '3' },
    want: '/1/2/3',
    because: 'an equal one does not',
  },
  {
    clause: 'E.2',
    routes: ['{name:min(5)?}'],
    values: { name: '', q: '1' },
    want: '/?q=1',
    because: 'an empty value is dropped before constraints see it',
  },
  {
    clause: 'E.2.5',
    routes: [{ template: 'a', defaults: { area: 'Admin' } }],
    values: { area: 'admin' },
    want: '/a',
    because: 'equal to the default, ignoring case',
  },
  {
    clause: 'E.2.5',
    routes: [{ template: 'a', defaults: { area: 'Admin' } }],
    values: { area: 'Shop' },
    want: null,
    because: 'not equal: no link',
  },
  {
    clause: 'E.3',
    routes: [{ template: 'a', constraints: { area: 'required' } }],
    values: {},
    want: null,
    because: 'a value that is required',
  },
  {
    clause: 'E.3',
    routes: [{ template: 'a', constraints: { area: 'required' } }],
    values: {},
    ambient: { area: 'x' },
    want: '/a',
    because: 'may be ambient',
  },
  { clause: 'E.3', routes: ['a/{id:int}'], values: { id: 'x' }, want: null, because: 'constraints judge links' },
  {
    clause: 'E.4',
    routes: ['{filename}.{ext?}'],
    values: { filename: 'x' },
    want: '/x',
    because: 'the period goes with what follows it',
  },
  {
    clause: 'E.5',
    routes: ['a', { template: 'b', name: 'Bee' }],
    values: {},
    name: 'BEE',
    want: '/b',
    because: 'a name, ignoring case',
  },
  { clause: 'E.5', routes: ['a'], values: {}, name: 'none', want: null, because: 'an unknown name' },
  {
    clause: 'E.5',
    routes: ['Á/{B}'],
    values: { B: 'X', Q: 'Y' },
    options: { lowercaseUrls: true },
    want: '/%c3%81/x?Q=Y',
    because: 'the path in lower case, escapes too',
  },
  {
    clause: 'E.5',
    routes: ['a/{b}'],
    values: { b: 'ä\ud800!$()*,;@~' },
    want: '/a/%C3%A4%EF%BF%BD!$()*,;@~',
    because: 'what stands for itself',
  },
];
