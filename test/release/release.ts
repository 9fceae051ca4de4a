/**
 * Makes `release/` twice and compares, for `npm run release`.
 *
 *     npm run release -- [--node PATH] [--image]
 *
 * `--node` names a Node from 26 on, which makes the executable: unless given, the one that runs this, if it can.
 * `--image` builds the image too; it takes root and buildah.
 */
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

const sumsOf = (folder: string): string[] => readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n');

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { node: { type: 'string' }, image: { type: 'boolean' } } });
  const own = Number(process.versions.node.split('.')[0]) >= 26 ? process.execPath : undefined;
  const work = mkdtempSync(join(tmpdir(), 'engine-'));
  const engine = values.image ? new Engine(work) : undefined;
  try {
    if (engine !== undefined) console.log(`image: ${engine.prepareBase()}`);
    const node = values.node === undefined ? own : resolve(values.node);
    const { artefacts, image } = await release({ facts: buildFacts(), node, engine });
    for (const { name, bytes, hash, isSame } of artefacts)
      console.log(
        `${isSame ? 'same twice' : 'DIFFERS   '}  ${hash.slice(0, 12)}  ${String(bytes).padStart(10)}  ${name}`,
      );
    if (image !== undefined) console.log(`image ${image.digest}, layers of ${image.layers.join(' and ')} bytes`);
    if (artefacts.some(({ isSame }) => !isSame)) process.exitCode = 1;
  } finally {
    engine?.close();
    rmSync(work, { recursive: true, force: true });
  }
}
