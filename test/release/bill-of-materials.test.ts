/** What the bill of materials names (D91), and what the Dockerfile says of it (D42, D45, D90). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../house/source-files.ts';
import { billOfMaterials } from './bill-of-materials.ts';

const FACTS = { version: '1.0.0', commit: '0123456789ab', modified: Date.UTC(2026, 10, 22) };

test('D91 – the bill → the service, and the page with what is bundled in it, each reached from the service', () => {
  const bill = JSON.parse(billOfMaterials(FACTS));
  const service = bill.metadata.component;
  assert.equal(service.purl, 'pkg:npm/todo-item-service@1.0.0');
  assert.equal(bill.metadata.timestamp, '2026-11-22T00:00:00.000Z');
  const components: readonly { readonly name: string; readonly 'bom-ref': string }[] = bill.components;
  const names = components.map(({ name }) => name);
  for (const name of ['swagger-ui-dist', 'react', 'immutable', 'dompurify', 'js-yaml', 'lodash'])
    assert.ok(names.includes(name), name);
  const needs = new Map<string, string[]>(
    bill.dependencies.map(({ ref, dependsOn }: { ref: string; dependsOn: string[] }) => [ref, dependsOn]),
  );
  const reached = new Set([service['bom-ref']]);
  for (const reference of reached) for (const needed of needs.get(reference)!) reached.add(needed);
  assert.deepEqual(
    [...reached].sort(),
    [service['bom-ref'], ...components.map((component) => component['bom-ref'])].sort(),
  );
});

test('D91 – the number of a bill → the same for the same content, another for another', () => {
  const numberOf = (text: string): string => JSON.parse(text).serialNumber;
  assert.equal(numberOf(billOfMaterials(FACTS)), numberOf(billOfMaterials(FACTS)));
  assert.notEqual(numberOf(billOfMaterials(FACTS)), numberOf(billOfMaterials({ ...FACTS, commit: 'another' })));
  assert.match(
    numberOf(billOfMaterials(FACTS)),
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});

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
