/** Lesson 11: the values of an optional parameter and of a catch-all. */
import { posix } from 'node:path';
import { type Plugin, route, text } from '../../../src/index.ts';

// ▼ Your prediction here: the value as a string, 'absent' or 'no match'.
export const prediction = {
  'month in archive/{year}/{month?}, GET /archive/1850': undefined,
  'month in archive/{year}/{month=1}, GET /archive/1850/': undefined,
  'year in archive/{year}/{month?}, GET /archive': undefined,
  'path in files/{*path}, GET /files': undefined,
  'path in files/{*path}, GET /files/a%20b/': undefined,
  'path in files/{*path}, GET /files/../c': undefined,
  'path in files/{*path}, GET /files/..%2Fc': undefined,
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
      // ▼ Your first change here.
      handle: ({ values }) => text(`${values.year}, month ${values.month}`),
    }),
    route({
      path: 'files/{*path}',
      handle({ values }) {
        // ▼ Your second change here.
        const file = DISK[posix.normalize(`public/${values.path}`)];
        return file === undefined ? text('This file does not exist', { status: 404 }) : text(file);
      },
    }),
  ],
};
