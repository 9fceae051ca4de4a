/** Lesson 11, answered: the values of an optional parameter and of a catch-all. */
import { posix } from 'node:path';
import { type Plugin, route, text } from '../../../src/index.ts';

export const prediction = {
  'month in archive/{year}/{month?}, GET /archive/1850': 'absent',
  // One slash at the end adds no segment, so the value is the default.
  'month in archive/{year}/{month=1}, GET /archive/1850/': '1',
  // The year is not optional and has no default.
  'year in archive/{year}/{month?}, GET /archive': 'no match',
  // A catch-all also matches an empty rest. Its value is the empty string.
  'path in files/{*path}, GET /files': '',
  // The value is decoded and keeps the slash at the end.
  'path in files/{*path}, GET /files/a%20b/': 'a b/',
  // The path became `/c` before a route was tried.
  'path in files/{*path}, GET /files/../c': 'no match',
  // `..` is not a whole segment here: `..%2Fc` is one segment, and it is decoded for the handler.
  'path in files/{*path}, GET /files/..%2Fc': '../c',
};

/** Replaces a disk: the text of each file, by its path. */
export const DISK: Readonly<Record<string, string>> = {
  'public/a.txt': 'the first file',
  'public/deep/b.txt': 'the second file',
  'public/..c.txt': 'a file with an odd name',
  'public-keys.txt': 'not for everybody',
  'secret.txt': 'for nobody',
};

export const plugin: Plugin = {
  name: 'lesson',
  routes: [
    route({
      path: 'archive/{year}/{month?}',
      // The type of `month` is `string | undefined`, because it may be absent; the type of `year` is `string`.
      handle: ({ values: { year, month } }) => text(month === undefined ? year : `${year}, month ${month}`),
    }),
    route({
      path: 'files/{*path}',
      handle({ values }) {
        // First resolve the path, then check the result and read the same result. A search for `..` in the value would
        // refuse `deep/../a.txt` and `..c.txt`. Without the slash after `public`, `../public-keys.txt` would pass.
        const path = posix.join('public', values.path);
        const file = path.startsWith('public/') ? DISK[path] : undefined;
        return file === undefined ? text('This file does not exist', { status: 404 }) : text(file);
      },
    }),
  ],
};
