/**
 * Builds `release/` twice and compares the results, for `npm run release`: the package, `todo.cjs`, the sources of the
 * commit, the bill of materials, the changes, the licence and the checksums.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { billOfMaterials } from './bill-of-materials.ts';
import { type BuildFacts, buildFacts, ROOT } from './build-facts.ts';
import { oneFile } from './one-file.ts';

/** One file of a release. */
export interface Artefact {
  readonly name: string;
  readonly bytes: number;
  /** SHA-256, in hexadecimal. */
  readonly hash: string;
  /** True if both builds have the same bytes. */
  readonly isSame: boolean;
}

/** Builds a release twice and writes the second to `release/`. Throws the error of a failed step. */
export async function release(facts: BuildFacts): Promise<Artefact[]> {
  const work = mkdtempSync(join(tmpdir(), 'twice-'));
  try {
    const [first, second] = [join(work, 'first'), join(work, 'second')];
    await makeRelease(first, facts);
    await makeRelease(second, facts);
    const folder = join(ROOT, 'release');
    rmSync(folder, { recursive: true, force: true });
    cpSync(second, folder, { recursive: true });
    return namesIn(second).map((name) => {
      const hash = sha256(join(second, name));
      const isSame = existsSync(join(first, name)) && sha256(join(first, name)) === hash;
      return { name, bytes: statSync(join(second, name)).size, hash, isSame };
    });
  } finally {
    rmSync(work, { recursive: true });
  }
}

async function makeRelease(folder: string, facts: BuildFacts): Promise<void> {
  mkdirSync(folder);
  // Modes of files go into archives.
  process.umask(0o022);
  const env = { ...process.env, COMMIT: facts.commit, SOURCE_DATE_EPOCH: String(facts.modified / 1000) };
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: ROOT, stdio: 'pipe', env });
  writeFileSync(join(folder, 'todo.cjs'), await oneFile(facts), { mode: 0o755 });
  writeFileSync(join(folder, 'todo-item-service.cdx.json'), billOfMaterials(facts));
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  copyFileSync(join(ROOT, 'src/guide/CHANGELOG.md'), join(folder, 'CHANGELOG.md'));
  packSources(facts, folder);
  const sums = namesIn(folder).map((name) => `${sha256(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
}

/** Writes the commit as an archive if the project is a clone. */
function packSources({ version, commit }: BuildFacts, folder: string): void {
  const name = `todo-item-service-${version}`;
  const file = join(folder, `${name}-source.tar.gz`);
  if (!existsSync(join(ROOT, '.git'))) return console.log('no source archive: this is not a clone of the repository');
  if (commit.endsWith(', changed')) console.log('the source archive contains the commit without your changes');
  const options = ['archive', '--format=tar.gz', `--prefix=${name}/`, `--output=${file}`, 'HEAD'];
  execFileSync('git', options, { cwd: ROOT, stdio: 'pipe' });
}

const namesIn = (folder: string): string[] => readdirSync(folder).sort();

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Returns an artefact's line of the table. */
export const artefactLine = ({ name, bytes, hash, isSame }: Artefact): string =>
  `${name.padEnd(40)}  ${String(bytes).padStart(9)}  ${hash.slice(0, 12)}  ${isSame ? 'same twice' : 'DIFFERS'}`;

if (process.argv[1] === import.meta.filename) {
  const [, , ...words] = process.argv;
  if (words.length > 0) {
    console.error(
      `Cannot make a release with "${words.join(' ')}": npm run release takes no arguments; no file of a release has ` +
        'Node in it, and the Node that runs npm makes them',
    );
    process.exit(2);
  }
  const artefacts = await release(buildFacts());
  for (const artefact of artefacts) console.log(artefactLine(artefact));
  if (artefacts.some(({ isSame }) => !isSame)) process.exitCode = 1;
}
