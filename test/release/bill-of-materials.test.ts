/** Tests the bill of materials (D91) and the Dockerfile (D42, D45, D90). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../house/source-files.ts';
import { billOfMaterials } from './bill-of-materials.ts';

const FACTS = { version: '1.0.0', commit: '0123456789ab', modified: Date.UTC(2026, 10, 22) };

test('D91 – the bill → lists the service and the page with its bundled packages, all reachable from the service', () => {
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
  const all = [service['bom-ref'], ...components.map((component) => component['bom-ref'])].sort();
  assert.deepEqual([...reached].sort(), all);
});

test('D91 – the serial number of a bill → is equal for equal content and different for different content', () => {
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

test('D90 – the version label → equals the version in package.json and in the changes', () => {
  assert.ok(dockerfile.includes(`org.opencontainers.image.version="${version}"`));
  // A part without a version would belong to no release.
  assert.equal(/^## (.+)$/m.exec(textOf('src/guide/CHANGELOG.md'))?.[1], version);
});

test('D42 – the base image → is an argument whose default names the Active LTS line of Node', () => {
  assert.match(dockerfile, /^ARG BASE=node:26-/m);
  assert.match(dockerfile, /^FROM \$\{BASE\} AS build$/m);
});

test('D45 – the image → listens on :: with health checks, and has two layers, no VOLUME and a user without a name', () => {
  const [, image = ''] = dockerfile.split(/^FROM scratch$/m);
  assert.match(image, /^ENV .*\bHOST=:: TODO_HEALTH_CHECKS=on\b/m);
  assert.equal(image.match(/^COPY /gm)?.length, 2);
  assert.doesNotMatch(dockerfile, /^VOLUME/m);
  assert.match(image, /^USER 65532:65532$/m);
  assert.match(image, /^HEALTHCHECK .* CMD \[.*"--health"\]$/m);
});
