/**
 * Builds a release and the image twice and tests them, for `npm run test:release`. It runs the package and the one file
 * on each version of Node in `test/release`, and the image if this machine can build it (D91). Prints a table.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildFacts, ROOT } from './build-facts.ts';
import {
  assertBundled,
  assertDeclares,
  assertExamplesCompile,
  assertImported,
  assertWellPacked,
  install,
} from './check-package.ts';
import { Engine, type Image } from './image.ts';
import { artefactLine, release } from './release.ts';
import { assertAnswers } from './running-program.ts';
import { nodeOf, nodes, otherRuntimes, permissions } from './runtimes.ts';

const facts = buildFacts();
const at = (name: string): string => join(ROOT, 'release', name);
const tarball = `todo-item-service-${facts.version}.tgz`;
const work = mkdtempSync(join(tmpdir(), 'check-'));
/** The successful checks of each artefact. */
const found = new Map<string, string[]>();
const failures: string[] = [];

function tell(artefact: string, what: string): void {
  found.set(artefact, [...(found.get(artefact) ?? []), what]);
}

/** Runs one check. A failure is printed at the end; the other checks still run. */
async function check(artefact: string, what: string, run: () => unknown): Promise<void> {
  try {
    await run();
    tell(artefact, what);
  } catch (error) {
    failures.push(`${artefact}, ${what}: ${error instanceof Error ? error.message : error}`);
  }
}

const sizes = (all: readonly number[]): string => `${all.reduce((sum, size) => sum + size, 0)} in ${all.length} files`;

async function checkPackage(): Promise<void> {
  const packed = execFileSync('tar', ['tzvf', at(tarball)], { encoding: 'utf8' })
    .trim()
    .split('\n');
  const bytes = packed.map((line) => Number(line.split(/ +/)[2]));
  tell(tarball, sizes(bytes));
  await check(tarball, 'at most 300 files with 5 MB', () => {
    assert.ok(bytes.length <= 300, `${bytes.length} files`);
    assert.ok(bytes.reduce((sum, size) => sum + size, 0) <= 5_000_000);
  });
  await check(tarball, 'publint and attw', () => assertWellPacked(at(tarball)));
  let project = '';
  for (const node of nodes())
    await check(tarball, node.name, async () => {
      project = install(at(tarball), node, work);
      const home = join(project, 'node_modules/todo-item-service');
      assertImported(project, node.command);
      // The second start uses the compile cache.
      for (const _ of [1, 2]) await assertAnswers([...node.command, join(home, 'dist/main.js')]);
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
  });
  await check(tarball, 'declarations', () => assertDeclares(project));
  await check(tarball, 'bundled', () => assertBundled(project, work));
}

async function checkOneFile(): Promise<void> {
  // The file is alone in its folder, as after a copy.
  const file = join(work, 'todo.cjs');
  writeFileSync(file, readFileSync(at('todo.cjs')), { mode: 0o755 });
  for (const node of nodes()) await check('todo.cjs', node.name, () => assertAnswers([...node.command, file]));
  for (const { name, command } of otherRuntimes(work))
    await check('todo.cjs', name, () => assertAnswers([...command, file]));
  const old = nodeOf(18);
  if (old === undefined) return;
  await check('todo.cjs', 'rejected by node 18', () => {
    const { status, stdout, stderr } = spawnSync(old, [file], { encoding: 'utf8' });
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, /^Cannot start: Node 18\.[\d.]+ is too old; [^\n]*\n$/);
  });
}

/** Starts it as a container does: a user without a name, no writable folder, the environment of the image. */
async function checkImage(engine: Engine): Promise<void> {
  const first = engine.build(facts);
  const { layers, config, root }: Image = engine.build(facts);
  const [runtime, service] = layers;
  const listed = execFileSync('find', [root, '-xdev', '-type', 'f'], { encoding: 'utf8' }).trim().split('\n');
  tell('image', `layers of ${layers.map(({ size }) => size).join(' and ')} bytes as pushed`);
  tell('image', sizes(listed.map((path) => statSync(path).size)));
  await check('image', 'same twice', () => assert.deepEqual(layers, first.layers));
  const env = Object.fromEntries(config.Env.map((line) => line.split(/=(.*)/s) as [string, string]));
  const readOnly = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
  const inside = ['unshare', '--mount', 'sh', '-c', readOnly, root, 'chroot', `--userspec=${config.User}`, root];
  const [program = '', ...words] = inside;
  await check('image', 'read-only, user 65532', () =>
    assertAnswers([...inside, ...config.Entrypoint], env, async (base) => {
      const [, ...health] = config.Healthcheck.Test;
      const environment = { ...env, PORT: new URL(base).port };
      assert.equal((await fetch(`${base}/ready`)).status, 200);
      const printed = execFileSync(program, [...words, ...health], { env: environment });
      assert.equal(printed.toString(), 'GET /health: 200\n');
    }),
  );
  // A new volume gets the content and the owner of the folder where it is mounted.
  await check('image', 'the volume of README.md', () => {
    const [, mount = '', flags = ''] =
      /^docker run .*-v todo:(\S+) \S+ (.+)$/m.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? [];
    const volume = join(work, 'volume');
    execFileSync('cp', ['--archive', join(root, mount), volume]);
    const mounted = readOnly.replace(' && ', ' && mount --bind "$1" "$0$2" && ').replace('exec', 'shift 2 && exec');
    const through = ['unshare', '--mount', 'sh', '-c', mounted, root, volume, mount, ...inside.slice(6)];
    return assertAnswers([...through, ...config.Entrypoint, ...flags.split(' ')], env, async () => {
      const { uid, gid } = statSync(join(volume, 'todo.db'));
      assert.equal(`${uid}:${gid}`, config.User);
    });
  });
  await check('image', 'its Node uses the compiled code', () => {
    const debug = { ...env, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
    const { stderr } = spawnSync(program, [...words, ...config.Entrypoint, '--version'], {
      encoding: 'utf8',
      env: debug,
    });
    assert.match(stderr, /code cache for CommonJS \/app\/todo\.cjs was accepted/);
  });
  await check('image', 'its first layer equals that of another commit', () => {
    const other = engine.build({ ...facts, commit: '0123456789ab', modified: facts.modified + 1_000_000 });
    assert.equal(other.layers[0]!.digest, runtime!.digest);
  });
  await check('image', 'its sizes', () => {
    assert.ok(service!.size < 1_000_000, `an update is ${service!.size} bytes`);
    const licences = ['doc/node/LICENSE', 'doc/libc6/copyright', 'common-licenses/LGPL-2.1', 'common-licenses/GPL-3'];
    for (const name of licences) assert.ok(listed.includes(`${root}/usr/share/${name}`), name);
  });
}

/** Builds images if this machine can. Otherwise prints the reason. */
function imageEngine(): Engine | undefined {
  if (process.getuid?.() !== 0) console.log('no image: the build needs root');
  else if (spawnSync('buildah', ['--version']).error !== undefined) console.log('no image: buildah is not installed');
  else {
    const engine = new Engine(work);
    try {
      console.log(`the image is built from ${engine.prepare()}`);
      return engine;
    } catch (error) {
      console.log(`no image: this machine has no base image or cannot build (${(error as Error).message})`);
      engine.close();
    }
  }
  return undefined;
}

const engine = imageEngine();
try {
  const artefacts = await release(facts);
  await checkPackage();
  await checkOneFile();
  if (engine !== undefined) await checkImage(engine);
  console.log();
  for (const artefact of artefacts) {
    console.log([artefactLine(artefact), ...(found.get(artefact.name) ?? [])].join(', '));
    if (!artefact.isSame) failures.push(`${artefact.name} differs when it is made twice`);
  }
  if (found.has('image')) console.log(`image ${found.get('image')!.join(', ')}`);
  for (const failure of failures) console.error(`FAILED  ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
} finally {
  engine?.close();
  rmSync(work, { recursive: true, force: true });
}
