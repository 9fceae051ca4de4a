/** Tests what the Dockerfile says against what it is built from (D42, D45, D90). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../house/source-files.ts';

const dockerfile = textOf('Dockerfile');
const { version } = JSON.parse(textOf('package.json')) as { version: string };

test('D90 – the label of the version → that of package.json, which the changes name too', () => {
  assert.ok(dockerfile.includes(`org.opencontainers.image.version="${version}"`));
  assert.ok(textOf('test/release/CHANGELOG.md').includes(`\n## ${version}\n`));
});

test('D42 – the base → a name with the Active LTS line of Node, by an argument', () => {
  assert.match(dockerfile, /^ARG BASE=node:26-/m);
  assert.match(dockerfile, /^FROM \$\{BASE\} AS build$/m);
});

test('D90 – the image as it is built without arguments → node without its symbols, as the pages tell its size', () => {
  assert.match(dockerfile, /^ARG STRIP=yes$/m);
  assert.match(textOf('test/release/runtime-files.sh'), /^if \[ "\$\{STRIP:-yes\}" = yes \]; then$/m);
});

test('D90 – what Node has compiled → made for the user of the image, at the path that its environment names', () => {
  const [, cache = ''] = /^ENV .*\bNODE_COMPILE_CACHE=(\S+)$/m.exec(dockerfile) ?? [];
  assert.match(
    dockerfile,
    new RegExp(`^RUN NODE_COMPILE_CACHE=${cache} setpriv --reuid=65532 .* /app/todo\\.cjs`, 'm'),
  );
});

test('D45 – the image → :: and health checks, two layers, no VOLUME, a user without a name', () => {
  const [, image = ''] = dockerfile.split(/^FROM scratch$/m);
  assert.match(image, /^ENV .*\bHOST=:: HEALTH_CHECKS=on\b/m);
  assert.equal(image.match(/^COPY /gm)?.length, 2);
  assert.doesNotMatch(dockerfile, /^VOLUME/m);
  assert.match(image, /^USER 65532:65532$/m);
  assert.match(image, /^HEALTHCHECK .* CMD \[.*"--health"\]$/m);
});
