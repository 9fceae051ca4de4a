/**
 * Makes a release twice and runs everything in it, for `npm run test:release`: the package, the one file, the
 * executable and the image, on each version of Node that `test/release` has, as far as this machine can (D91). Prints a
 * table.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildFacts, ROOT, versionText } from './build-facts.ts';
import {
  assertBundled,
  assertExamplesCompile,
  assertExamplesRun,
  assertImported,
  assertWellPacked,
  install,
} from './check-package.ts';
import { BASE, Engine, type Image } from './image.ts';
import { release } from './release.ts';
import { assertAnswers } from './running-program.ts';
import { nodeOf, nodes, otherRuntimes, permissions } from './runtimes.ts';

const facts = buildFacts();
const at = (name: string): string => join(ROOT, 'release', name);
const tarball = `todo-item-service-${facts.version}.tgz`;
const work = mkdtempSync(join(tmpdir(), 'check-'));
/** By artefact: what it answered on. */
const answered = new Map<string, string[]>();
/** By artefact: how many files are in it, and their bytes. */
const contents = new Map<string, string>();
const failures: string[] = [];

/** Runs one check; a failure is told at the end, and the others go on. */
async function check(artefact: string, what: string, run: () => unknown): Promise<void> {
  try {
    await run();
    answered.set(artefact, [...(answered.get(artefact) ?? []), what]);
  } catch (error) {
    failures.push(`${artefact}, ${what}: ${error instanceof Error ? error.message : error}`);
  }
}

const contentsText = (sizes: readonly number[]): string =>
  `${sizes.reduce((sum, size) => sum + size, 0)} in ${sizes.length} files`;

async function checkPackage(): Promise<void> {
  const packed = execFileSync('tar', ['tzvf', at(tarball)], { encoding: 'utf8' })
    .trim()
    .split('\n');
  contents.set(tarball, contentsText(packed.map((line) => Number(line.split(/ +/)[2]))));
  await check(tarball, 'publint and attw', () => assertWellPacked(at(tarball)));
  let project = '';
  for (const node of nodes())
    await check(tarball, node.name, async () => {
      project = install(at(tarball), node, work);
      const home = join(project, 'node_modules/todo-item-service');
      assertImported(project, node.command);
      await assertAnswers([...node.command, join(home, 'dist/main.js')]);
      const limited = permissions(node, home);
      if (limited !== undefined) await assertAnswers([...limited.command, join(home, 'dist/main.js')]);
    });
  for (const { name, command } of otherRuntimes(project))
    await check(tarball, name, () =>
      assertAnswers([...command, join(project, 'node_modules/todo-item-service/dist/main.js')]),
    );
  await check(tarball, 'its own program', () => assertAnswers([join(project, 'node_modules/.bin/todo-item-service')]));
  await check(tarball, 'the examples', () => {
    const count = assertExamplesCompile(project);
    assert.ok(count > 10, `${count} examples`);
    assertExamplesRun(project, [process.execPath]);
  });
  await check(tarball, 'bundled', () => assertBundled(project, work));
}

async function checkOneFile(): Promise<void> {
  // Alone in a folder, as it is carried.
  const file = join(work, 'todo.cjs');
  writeFileSync(file, readFileSync(at('todo.cjs')), { mode: 0o755 });
  for (const node of nodes()) {
    await check('todo.cjs', node.name, () => assertAnswers([...node.command, file]));
    const limited = permissions(node);
    if (limited !== undefined) await check('todo.cjs', limited.name, () => assertAnswers([...limited.command, file]));
  }
  for (const { name, command } of otherRuntimes(work))
    await check('todo.cjs', name, () => assertAnswers([...command, file]));
  await check('todo.cjs', '--version', () => {
    const printed = execFileSync(process.execPath, [file, '--version'], { encoding: 'utf8' });
    assert.equal(printed, `${versionText(facts)}\n`);
  });
  await check('todo.cjs', 'its size', () => assert.ok(readFileSync(file).length < 850_000));
  const old = nodeOf(18);
  if (old === undefined) return;
  await check('todo.cjs', 'refused by node 18', () => {
    const { status, stdout, stderr } = spawnSync(old, [file], { encoding: 'utf8' });
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, /^Cannot start: Node 18\.[\d.]+ is too old; [^\n]*\n$/);
  });
}

/** As a container starts it: a user of no name, nothing that may be written to, the environment of the image. */
async function checkImage(image: Image, engine: Engine): Promise<void> {
  const { root } = image;
  const [runtime, service] = image.layers;
  const listed = execFileSync('find', [root, '-xdev', '-type', 'f'], { encoding: 'utf8' }).trim().split('\n');
  contents.set('image.tar', contentsText(listed.map((path) => statSync(path).size)));
  const { config } = imageConfig();
  const env = Object.fromEntries((config.Env as string[]).map((line) => line.split(/=(.*)/s) as [string, string]));
  const inside = ['chroot', `--userspec=${config.User}`, root];
  await check('image.tar', 'chroot, user 65532', () =>
    assertAnswers([...inside, ...config.Entrypoint], env, async (base) => {
      const [, ...health] = config.Healthcheck.Test;
      const environment = { ...env, PORT: new URL(base).port };
      assert.equal((await fetch(`${base}/ready`)).status, 200);
      assert.equal(
        execFileSync(inside[0]!, [...inside.slice(1), ...health], { env: environment }).toString(),
        'GET /ready: 200\n',
      );
    }),
  );
  await check('image.tar', 'its Node takes the code cache', () => {
    const tell = `import vm from 'node:vm';
      vm.Script = class extends vm.Script {
        constructor(text, options) { super(text, options); console.log('refused: ' + this.cachedDataRejected); }
      };`;
    const hook = ['--import', `data:text/javascript,${encodeURIComponent(tell)}`];
    const [chroot = '', ...options] = inside;
    const command = [...options, '/usr/local/bin/node', ...hook, '/app/todo.cjs', '--version'];
    const printed = execFileSync(chroot, command, { encoding: 'utf8', env });
    assert.equal(printed, `refused: false\n${versionText(facts)}\n`);
  });
  await check('image.tar', 'its first layer is that of another commit', () => {
    const other = { ...facts, commit: '0123456789ab', modified: facts.modified + 1_000_000 };
    const later = mkdtempSync(join(work, 'later-'));
    assert.equal(engine.build(other, join(later, 'image.tar'), later).layers[0]!.digest, runtime!.digest);
  });
  await check('image.tar', 'its sizes', () => {
    assert.ok(service!.size < 1_000_000, `an update is ${service!.size} bytes`);
    const own = listed.filter((path) => path.startsWith(`${root}/app/`)).map((path) => readFileSync(path).length);
    assert.ok(own.reduce((sum, size) => sum + size, 0) < 2_100_000);
    const licences = ['doc/node/LICENSE', 'doc/libc6/copyright', 'common-licenses/LGPL-2.1', 'common-licenses/GPL-3'];
    for (const name of licences) assert.ok(listed.includes(`${root}/usr/share/${name}`), name);
  });
}

const blob = (digest: string) =>
  JSON.parse(execFileSync('tar', ['xOf', at('image.tar'), `blobs/${digest.replace(':', '/')}`]).toString());
function imageConfig() {
  const index = JSON.parse(execFileSync('tar', ['xOf', at('image.tar'), 'index.json']).toString());
  return blob(blob(index.manifests[0].digest).config.digest);
}

/** From a registry, else a stand-in, which is good enough for a test. */
function prepareBase(engine: Engine): void {
  try {
    engine.pullBase();
    console.log(`the image is built from ${BASE}`);
  } catch {
    engine.makeBase();
    console.log(`the image is built from a stand-in for ${BASE}, which no registry gave`);
  }
}

/** Builds images, where this machine can; prints why not. */
function imageEngine(): Engine | undefined {
  if (process.getuid?.() !== 0) console.log('no image: it takes root');
  else if (spawnSync('buildah', ['--version']).error !== undefined)
    console.log('no image: buildah is not on this machine');
  else {
    const engine = new Engine(work);
    try {
      prepareBase(engine);
      engine.assertBuilds();
      return engine;
    } catch (error) {
      console.log(`no image: this machine has no base for it, or cannot build (${(error as Error).message})`);
      engine.close();
    }
  }
  return undefined;
}

const engine = imageEngine();
try {
  const node = nodeOf(26);
  if (node === undefined) console.log('no executable: test/release has no Node 26 for this system');
  const { artefacts, image } = await release({ facts, node, engine });
  await checkPackage();
  await checkOneFile();
  const executable = artefacts.find(({ name }) => /^todo-(?!item)/.test(name));
  if (executable !== undefined) await check(executable.name, 'alone', () => assertAnswers([at(executable.name)]));
  if (image !== undefined) await checkImage(image, engine!);
  console.log();
  for (const { name, bytes, hash, isSame } of artefacts) {
    const columns = [name.padEnd(34), String(bytes).padStart(10), (contents.get(name) ?? '').padEnd(26)];
    columns.push(hash.slice(0, 12));
    console.log(
      `${columns.join('  ')}  ${isSame ? 'same twice' : 'DIFFERS'}  ${(answered.get(name) ?? []).join(', ')}`,
    );
    if (!isSame) failures.push(`${name} differs when it is made twice`);
  }
  if (image !== undefined)
    console.log(
      `image ${image.digest}, layers of ${image.layers.map(({ size }) => size).join(' and ')} bytes as pushed`,
    );
  for (const failure of failures) console.error(`FAILED  ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
} finally {
  engine?.close();
  rmSync(work, { recursive: true, force: true });
}
