/** Lesson 11, answered: what an optional parameter and a catch-all hold. */
import { posix } from 'node:path';
import { type Plugin, route, text } from '../../../src/index.ts';

export const prediction = {
  'month in archive/{year}/{month?}, GET /archive/1850': 'absent',
  // One slash at the end adds no segment, so the default is taken.
  'month in archive/{year}/{month=1}, GET /archive/1850/': '1',
  // The year is neither optional nor has it a default.
  'year in archive/{year}/{month?}, GET /archive': 'no match',
  // A catch-all takes nothing, too. Its value is there, and empty.
  'path in files/{*path}, GET /files': '',
  // Decoded, with the slash at the end.
  'path in files/{*path}, GET /files/a%20b/': 'a b/',
  // The path became `/c` before a route was asked.
  'path in files/{*path}, GET /files/../c': 'no match',
  // Here the two points were no segment of their own: `..%2Fc` is one segment, and it is decoded for the handler.
  'path in files/{*path}, GET /files/..%2Fc': '../c',
};

/** Stands for a disk: what is in each file, by its path. */
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
      // The compiler knows that `month` may be absent: its type is `string | undefined`, that of `year` is `string`.
      handle: ({ values: { year, month } }) => text(month === undefined ? year : `${year}, month ${month}`),
    }),
    route({
      path: 'files/{*path}',
      handle({ values }) {
        // First resolve, then judge the result, and read that same result. To search the value for `..` refuses
        // `deep/../a.txt` and `..c.txt`; without the slash after `public`, `../public-keys.txt` would come through.
        const path = posix.join('public', values.path);
        const file = path.startsWith('public/') ? DISK[path] : undefined;
        return file === undefined ? text('There is no such file', { status: 404 }) : text(file);
      },
    }),
  ],
};
