/**
 * Makes `release/` twice and compares, for `npm run release`.
 *
 *     npm run release -- [--node PATH] [--image] [--base NAME]
 *
 * `--node` names a Node from 26 on, which makes the executable: unless given, the one that runs this, if it can.
 * `--image` builds the image too; it takes root and buildah. `--base` names another base, by its digest for example.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildFacts, ROOT } from './build-facts.ts';
import { Engine, type Image } from './image.ts';
import { makeRelease, type ReleaseOptions } from './make-release.ts';

/** One file of a release. */
export interface Artefact {
  readonly name: string;
  readonly bytes: number;
  readonly hash: string;
  readonly isSame: boolean;
}

/** Makes a release twice and puts it into `release/`. */
export async function release(options: ReleaseOptions): Promise<{ artefacts: Artefact[]; image: Image | undefined }> {
  const work = mkdtempSync(join(tmpdir(), 'twice-'));
  try {
    const [first, second] = [join(work, 'first'), join(work, 'second')];
    await makeRelease(first, options);
    const image = await makeRelease(second, options);
    const hashes = [first, second].map(
      (folder) => new Map(sumsOf(folder).map((line) => line.split('  ').reverse() as [string, string])),
    );
    const folder = join(ROOT, 'release');
    rmSync(folder, { recursive: true, force: true });
    cpSync(second, folder, { recursive: true });
    const artefacts = readdirSync(folder)
      .filter((name) => name !== 'SHA256SUMS')
      .map((name) => {
        const [one, other] = hashes.map((known) => known.get(name));
        return { name, bytes: statSync(join(folder, name)).size, hash: other ?? '', isSame: one === other };
      });
    return { artefacts, image };
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** Reads the command line. A fault ends the process with one line and exit code 2. */
function options(argv: readonly string[]): { node?: string | undefined; image: boolean; base?: string | undefined } {
  const known = { node: { type: 'string' }, image: { type: 'boolean' }, base: { type: 'string' } } as const;
  try {
    const { values } = parseArgs({ args: [...argv], options: known });
    const node = resolve(values.node ?? process.execPath);
    const version = execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8', stdio: 'pipe' }).trim();
    const isNew = Number(version.split('.')[0]) >= 26;
    if (values.node !== undefined && !isNew) throw new Error(`--node is Node ${version}; name one from 26 on`);
    return { node: isNew ? node : undefined, image: values.image ?? false, base: values.base };
  } catch (error) {
    console.error(`Cannot make a release: ${(error as Error).message.split('\n', 1)[0]}`);
    return process.exit(2);
  }
}

const sumsOf = (folder: string): string[] => readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n');

if (process.argv[1] === import.meta.filename) {
  const { node, image: withImage, base } = options(process.argv.slice(2));
  const work = mkdtempSync(join(tmpdir(), 'engine-'));
  const engine = withImage ? new Engine(work, base) : undefined;
  try {
    if (node === undefined) console.log('no executable: give --node PATH, a Node from 26 on');
    if (engine === undefined) console.log('no image: give --image, which takes root and buildah');
    engine?.pullBase();
    const { artefacts, image } = await release({ facts: buildFacts(), node, engine });
    for (const { name, bytes, hash, isSame } of artefacts)
      console.log(
        `${isSame ? 'same twice' : 'DIFFERS   '}  ${hash.slice(0, 12)}  ${String(bytes).padStart(10)}  ${name}`,
      );
    if (image !== undefined)
      console.log(`image ${image.digest}, layers of ${image.layers.map(({ size }) => size).join(' and ')} bytes`);
    if (artefacts.some(({ isSame }) => !isSame)) process.exitCode = 1;
  } finally {
    engine?.close();
    rmSync(work, { recursive: true, force: true });
  }
}
