/** Makes everything that is handed over, in a folder, with a list of checksums. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { billOfMaterials, debianComponents, nodeComponent } from './bill-of-materials.ts';
import { type BuildFacts, ROOT } from './build-facts.ts';
import type { Engine, Image } from './image.ts';
import { licenceOfNode, licenceTexts } from './licence-texts.ts';
import { oneFile } from './one-file.ts';
import { operatorFiles } from './operator-files.ts';
import { writeParts } from './parts.ts';

/** Where the image has the licence of Node. */
const NODE_LICENCE = 'usr/share/doc/node/LICENSE';

/** What a release is made with. */
export interface ReleaseOptions {
  readonly facts: BuildFacts;
  /** The path of a Node that makes single executables, from 26 on; without it there is none. */
  readonly node?: string | undefined;
  /** What builds images, its base at hand; without it there is none. */
  readonly engine?: Engine | undefined;
}

/** Makes a release in an empty folder. Throws what a step fails with. Returns the image, where there is one. */
export async function makeRelease(folder: string, { facts, node, engine }: ReleaseOptions): Promise<Image | undefined> {
  const work = mkdtempSync(join(tmpdir(), 'release-'));
  const into = (name: string): string => join(folder, name);
  mkdirSync(folder, { recursive: true });
  // Modes of files go into archives.
  process.umask(0o022);
  try {
    const given = { COMMIT: facts.commit, SOURCE_DATE_EPOCH: String(facts.modified / 1000) };
    const env = { ...process.env, ...given };
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: ROOT, stdio: 'pipe', env });
    writeFileSync(into('todo.cjs'), await oneFile(facts), { mode: 0o755 });
    writeFileSync(into('todo-item-service.cdx.json'), billOfMaterials(facts));
    if (node !== undefined) await makeExecutable(node, facts, folder, work);
    const image = engine?.build(facts, into('image.tar'), work);
    if (image !== undefined) writeFileSync(into('image.cdx.json'), billOfImage(facts, image));
    packSources(facts, folder);
    const nodeLicence = node ? licenceOfNode(node) : image && readFileSync(join(image.root, NODE_LICENCE), 'utf8');
    writeFileSync(into('THIRD-PARTY-LICENSES.txt'), licenceTexts(nodeLicence));
    for (const [name, text] of operatorFiles()) writeFileSync(into(name), text);
    writeFileSync(into('SHA256SUMS'), checksums(folder));
    return image;
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** The file that `sha256sum --check` takes, of all files in a folder. */
function checksums(folder: string): string {
  const names = readdirSync(folder).sort();
  return names.map((name) => `${sha256(join(folder, name))}  ${name}\n`).join('');
}

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** The parts of the program and Node as one program. */
async function makeExecutable(node: string, facts: BuildFacts, folder: string, work: string): Promise<void> {
  const tell = (expression: string): string => execFileSync(node, ['-p', expression], { encoding: 'utf8' }).trim();
  const output = `todo-${tell('process.platform')}-${tell('process.arch')}`;
  const parts = join(work, 'parts');
  await writeParts(parts, facts, node);
  // The path of the file goes into the program, so it is the same wherever the folder is.
  const names = readdirSync(parts).filter((name) => name !== 'todo.cjs');
  const assets = Object.fromEntries(names.map((name) => [name, name]));
  const settings = { main: 'todo.cjs', output, assets, disableExperimentalSEAWarning: true };
  writeFileSync(join(parts, 'executable.json'), JSON.stringify(settings));
  execFileSync(node, ['--build-sea=executable.json'], { cwd: parts, stdio: 'pipe' });
  copyFileSync(join(parts, output), join(folder, output));
  const runtime = nodeComponent(JSON.parse(tell('JSON.stringify(process.versions)')));
  writeFileSync(join(folder, 'executable.cdx.json'), billOfMaterials(facts, [runtime], sha256(join(folder, output))));
}

function billOfImage(facts: BuildFacts, { root, digest }: Image): string {
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');
  const [, release = ''] = /^VERSION_ID="?([^"\n]*)/m.exec(read('etc/os-release')) ?? [];
  const versions = execFileSync('chroot', [root, '/usr/local/bin/node', '-p', 'JSON.stringify(process.versions)']);
  const runtime = [
    nodeComponent(JSON.parse(versions.toString())),
    ...debianComponents(read('var/lib/dpkg/status'), release),
  ];
  return billOfMaterials(facts, runtime, digest.slice('sha256:'.length));
}

/** The commit as an archive, where git has it. */
function packSources({ version, commit }: BuildFacts, folder: string): void {
  const name = `todo-item-service-${version}`;
  const file = join(folder, `${name}-source.tar.gz`);
  if (!existsSync(join(ROOT, '.git'))) return console.log('no source archive: this is no clone of the repository');
  if (commit.endsWith(', changed')) console.log('the source archive is that of the commit, without your changes');
  const options = ['archive', '--format=tar.gz', `--prefix=${name}/`, `--output=${file}`, 'HEAD'];
  execFileSync('git', options, { cwd: ROOT, stdio: 'pipe' });
}
