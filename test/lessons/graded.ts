/** Finds work that is handed in, and makes copies of it that can run. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fileOf, type Lesson } from './lessons.ts';

/** The exercise in a folder that has the folders of the lessons. */
export const submitted = (folder: string, { name }: Lesson): string => join(resolve(folder), name, 'exercise.ts');

let copies: string | undefined;

/** The address of a copy whose imports lead to this project, from wherever it was handed in. */
export function inCopy(folder: string, lesson: Lesson): string {
  copies ??= mkdtempSync(join(tmpdir(), 'graded-'));
  const here = pathToFileURL(fileOf(lesson, 'exercise.ts'));
  const text = readFileSync(submitted(folder, lesson), 'utf8').replaceAll(
    /(?<=\bfrom\s*|\bimport\s*\(?\s*)(['"])(\.{1,2}\/[^'"\n]+)\1/g,
    (_, _quote, path: string) => JSON.stringify(new URL(path, here).href),
  );
  mkdirSync(join(copies, lesson.name), { recursive: true });
  const copy = join(copies, lesson.name, 'exercise.mts');
  writeFileSync(copy, text);
  return pathToFileURL(copy).href;
}
