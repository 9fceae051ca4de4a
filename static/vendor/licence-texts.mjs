/**
 * Writes the licences of the bundled packages as their tarballs bring them, each text once.
 *
 * Most texts differ in nothing but title, notice of copyright and line breaks. So the notice is taken off and stands
 * below the name of its package, and the rest is one text.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { licenceOf } from './bill-of-materials.mjs';

const NAMED = /^(?:licen[cs]e|unlicense|copying|copyright|notice)[^/]*$/i;
const TITLE = /^\W*(?:the )?(?:mit|isc) licen[cs]e\W*(?:\(mit\)\W*)?$/i;
const COPYRIGHT = /^\W*(?:copyright|\(c\)|©)/i;
/** Packages whose text, without a notice, stands in for that of packages without a licence file. */
const STANDARD = { MIT: 'redux', 'Apache-2.0': 'swagger-client' };

/** @param title the first lines of the file */
export function licenceTexts(title, packages) {
  const texts = new Map();
  const listed = packages.map((one) => {
    const numbers = licencesOf(one, packages).map(({ file, notices, body }) => {
      const key = body.replace(/\s+/g, ' ');
      if (!texts.has(key)) texts.set(key, { number: texts.size + 1, body, users: [] });
      const { number, users } = texts.get(key);
      users.push(`${one.name} ${one.version}, ${file}\n`, ...notices.map((line) => `    ${line.trim()}\n`));
      return number;
    });
    return `${one.name} ${one.version} (${licenceOf(one.manifest)}): text ${numbers.join(', ')}\n`;
  });
  const printed = [...texts.values()].map(
    ({ number, body, users }) => `\n${'='.repeat(80)}\nText ${number}, of:\n\n${users.join('')}\n${body}\n`,
  );
  return `${title}\n\n${listed.join('')}${printed.join('')}`;
}

/** The texts in a package's tarball; of one without, the standard text of the licence that it declares. */
function licencesOf({ name, manifest, folder }, packages) {
  const found = textsIn(folder);
  if (found.length > 0) return found;
  const standard = packages.find((other) => other.name === STANDARD[licenceOf(manifest)]);
  if (standard === undefined) throw new Error(`Cannot find the licence of ${name}: it has no licence file`);
  const author = manifest.author?.name ?? manifest.author;
  const readme = readdirSync(folder).find((file) => /^readme/i.test(file));
  const lines = readme === undefined ? [] : readFileSync(join(folder, readme), 'utf8').split('\n');
  const copyright = lines
    .filter((line) => /^\W*copyright\b.*\d{4}/i.test(line))
    .map((line) => line.replace('<br/>', ''));
  const notices = author === undefined ? copyright : [`Author: ${author}`, ...copyright];
  return [{ file: 'no licence file, declared in package.json', notices, body: textsIn(standard.folder)[0].body }];
}

/** A folder LICENSES holds the texts that a NOTICE speaks of. */
function textsIn(folder) {
  const files = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isFile()) return NAMED.test(entry.name) ? [entry.name] : [];
    return entry.name === 'LICENSES' ? readdirSync(join(folder, entry.name)).map((name) => `LICENSES/${name}`) : [];
  });
  return files.sort().map((file) => ({ file, ...noticesAndBody(readFileSync(join(folder, file), 'utf8')) }));
}

function noticesAndBody(text) {
  const lines = text.replace(/\r/g, '').split('\n');
  const start = lines.findIndex((line) => line.trim() !== '' && !TITLE.test(line) && !COPYRIGHT.test(line));
  const notices = lines.slice(0, start).filter((line) => COPYRIGHT.test(line));
  return { notices, body: lines.slice(start).join('\n').trim() };
}
