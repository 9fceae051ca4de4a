/** Checks the dependencies: only Node at run time, and five tools for development. No file names a local path. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesIn, textOf } from './source-files.ts';

test('house – package.json → no dependency at run time, one optional peer, five development dependencies', () => {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta, devDependencies } = JSON.parse(
    textOf('package.json'),
  );
  assert.deepEqual([dependencies, optionalDependencies], [undefined, undefined]);
  assert.deepEqual([Object.keys(peerDependencies), peerDependenciesMeta], [['redis'], { redis: { optional: true } }]);
  assert.deepEqual(Object.keys(devDependencies).sort(), ['@types/node', 'c8', 'esbuild', 'tsx', 'typescript']);
});

test('house – npm start → is one command without shell syntax, so that it runs on Windows', () =>
  assert.match(JSON.parse(textOf('package.json')).scripts.start, /^node( [\w./-]+)+$/));

test('house – the lock file → has only development packages from the registry, with checksums', () => {
  const locked = JSON.parse(textOf('package-lock.json')).packages as Record<
    string,
    { dev?: boolean; devOptional?: boolean; resolved?: string; integrity?: string }
  >;
  const packages = Object.entries(locked).filter(([path]) => path !== '');
  assert.ok(packages.length > 10);
  for (const [path, { dev, devOptional, resolved, integrity }] of packages) {
    assert.ok(dev === true || devOptional === true, `${path} is a runtime dependency`);
    assert.ok(
      resolved === undefined || resolved.startsWith('https://registry.npmjs.org/'),
      `${path} is from ${resolved}`,
    );
    assert.match(integrity ?? '', /^sha512-/, `${path} has no checksum`);
  }
});

/** The files with commands that people copy or run: continuous integration, the image and the pages. */
const withCommands = filesIn('').filter((path) => !/^src\/.*\.ts$|\.test\.ts$|package-lock\.json$|\.jsonl$/.test(path));
const foundIn = (pattern: RegExp): string[] =>
  withCommands.flatMap((path) => [...textOf(path).matchAll(pattern)].map(([found]) => `${path}: ${found}`));

test('house – every command that installs packages → disables the scripts of packages', () => {
  const installs = foundIn(/(?<=\bnpm )(?:ci|i(?:nstall)? +[-@.\w])[^\n`&|;]*/g).filter(
    (line) => !line.includes('.tgz'),
  );
  assert.ok(installs.length > 15, `${installs.length} commands`);
  assert.deepEqual(
    installs.filter((line) => !line.includes('--ignore-scripts')),
    [],
  );
});

test('house – the examples of CI pipelines → pin every action to a commit and every image to a digest', () => {
  const taken = foundIn(/^ *(?:- )?(?:uses|container|image): .*/gm).filter(
    (line) => !line.includes('todo-item-service'),
  );
  assert.ok(taken.length >= 3, `${taken.length} lines`);
  assert.deepEqual(
    taken.filter((line) => !/@[0-9a-f]{40} # v\d|:[\d.]+-\w+@sha256:[0-9a-f]{64}$/.test(line)),
    [],
  );
});

test('house – every file of the project → contains no path of a development machine', () => {
  const ours = filesIn('').filter(
    (path) => !/\.(?:png|gz|br|ico|woff2?)$|^static\/swagger-ui\/swagger-ui|package-lock\.json$/.test(path),
  );
  assert.ok(ours.length > 150);
  const paths = ours.flatMap((path) =>
    [...textOf(path).matchAll(/(?<![\w.}/-])(?:\/(?:work|root|home\/\w+|Users\/\w+)\/\w+|[A-Z]:\\Users\\)/g)].map(
      ([found]) => `${path}: ${found}`,
    ),
  );
  assert.deepEqual(paths, []);
});
