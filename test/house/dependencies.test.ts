/** Nothing at run time but Node, five tools for development, and no path of the machine on which it was written. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesIn, textOf } from './source-files.ts';

test('house – package.json → no dependency at run time, one that a user may bring, five for development', () => {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta, devDependencies } = JSON.parse(
    textOf('package.json'),
  );
  assert.deepEqual([dependencies, optionalDependencies], [undefined, undefined]);
  assert.deepEqual([Object.keys(peerDependencies), peerDependenciesMeta], [['redis'], { redis: { optional: true } }]);
  assert.deepEqual(Object.keys(devDependencies).sort(), ['@types/node', 'c8', 'esbuild', 'tsx', 'typescript']);
});

test('house – npm start → one command without the syntax of a shell, so that it runs on Windows too', () =>
  assert.match(JSON.parse(textOf('package.json')).scripts.start, /^node( [\w./-]+)+$/));

test('house – the lock file → every package for development alone, from the registry, with a checksum', () => {
  const locked = JSON.parse(textOf('package-lock.json')).packages as Record<
    string,
    { dev?: boolean; devOptional?: boolean; resolved?: string; integrity?: string }
  >;
  const packages = Object.entries(locked).filter(([path]) => path !== '');
  assert.ok(packages.length > 10);
  for (const [path, { dev, devOptional, resolved, integrity }] of packages) {
    assert.ok(dev === true || devOptional === true, `${path} is there at run time`);
    assert.ok(
      resolved === undefined || resolved.startsWith('https://registry.npmjs.org/'),
      `${path} is from ${resolved}`,
    );
    assert.match(integrity ?? '', /^sha512-/, `${path} has no checksum`);
  }
});

/** Files whose commands people run unread: those of continuous integration, of the image and of the pages. */
const withCommands = filesIn('').filter((path) => !/^src\/.*\.ts$|\.test\.ts$|package-lock\.json$|\.jsonl$/.test(path));
const foundIn = (pattern: RegExp): string[] =>
  withCommands.flatMap((path) => [...textOf(path).matchAll(pattern)].map(([found]) => `${path}: ${found}`));

test('house – every command that installs packages → runs no script of a package', () => {
  const installs = foundIn(/(?<=\bnpm )(?:ci|i(?:nstall)? +[-@.\w])[^\n`&|;]*/g).filter(
    (line) => !line.includes('.tgz'),
  );
  assert.ok(installs.length > 15, `${installs.length} commands`);
  assert.deepEqual(
    installs.filter((line) => !line.includes('--ignore-scripts')),
    [],
  );
});

test('house – the examples of pipelines → every action has its commit and every image its digest', () => {
  const taken = foundIn(/^ *(?:- )?(?:uses|container|image): .*/gm).filter(
    (line) => !line.includes('todo-item-service'),
  );
  assert.ok(taken.length >= 3, `${taken.length} lines`);
  assert.deepEqual(
    taken.filter((line) => !/@[0-9a-f]{40} # v\d|:[\d.]+-\w+@sha256:[0-9a-f]{64}$/.test(line)),
    [],
  );
});

test('house – every file that is written here → names no folder of the machine it was written on', () => {
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
