/** The files of the project, without what is installed or made. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MADE = new Set(['.git', 'node_modules', 'dist', 'coverage']);

/** Paths below the root, with `/`, in order. */
export function filesIn(folder: string): string[] {
  return readdirSync(`${ROOT}${folder}`, { withFileTypes: true }).filter(({ name }) => !MADE.has(name)).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesIn(path) : entry.isFile() ? [path] : [];
  }).sort();
}

export const textOf = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');
