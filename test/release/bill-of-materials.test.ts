/** Tests what the bills of materials name (D91). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { billOfMaterials, debianComponents, nodeComponent } from './bill-of-materials.ts';

const FACTS = { version: '1.0.0', commit: '0123456789ab', modified: Date.UTC(2026, 10, 22) };
const STATUS = `Package: libc6
Status: install ok installed
Architecture: amd64
Version: 2.36-9+deb12u14

Package: libstdc++6
Architecture: amd64
Version: 12.2.0-14+deb12u1

`;

test('D91 – the package → the service, and the page with what is bundled in it', () => {
  const bill = JSON.parse(billOfMaterials(FACTS));
  assert.equal(bill.metadata.component.purl, 'pkg:npm/todo-item-service@1.0.0');
  assert.equal(bill.metadata.timestamp, '2026-11-22T00:00:00.000Z');
  const names = bill.components.map(({ name }: { name: string }) => name);
  for (const name of ['swagger-ui-dist', 'react', 'immutable', 'dompurify', 'js-yaml', 'lodash'])
    assert.ok(names.includes(name), name);
});

test('D91 – what node and a system of Debian bring → named as scanners know them', () => {
  const runtime = [
    nodeComponent({ node: '26.10.0', v8: '14.6', modules: '147', ngtcp2: '' }),
    ...debianComponents(STATUS, '12'),
  ];
  assert.deepEqual(
    runtime.map((component) => component.purl ?? component['bom-ref']),
    [
      'pkg:generic/node@26.10.0',
      'debian-12',
      'pkg:deb/debian/libc6@2.36-9%2Bdeb12u14?arch=amd64&distro=debian-12',
      'pkg:deb/debian/libstdc%2B%2B6@12.2.0-14%2Bdeb12u1?arch=amd64&distro=debian-12',
    ],
  );
  assert.deepEqual(
    runtime[0]!.components!.map(({ name }) => name),
    ['v8'],
  );
});

test('D91 – the graph → every component once, each reached from the service', () => {
  const runtime = [nodeComponent({ node: '26.10.0' }), ...debianComponents(STATUS, '12')];
  const bill = JSON.parse(billOfMaterials(FACTS, runtime));
  const references: string[] = bill.components.map((component: { 'bom-ref': string }) => component['bom-ref']);
  assert.equal(new Set(references).size, references.length);
  const needs = new Map<string, string[]>(
    bill.dependencies.map(({ ref, dependsOn }: { ref: string; dependsOn: string[] }) => [ref, dependsOn]),
  );
  const reached = new Set([bill.metadata.component['bom-ref']]);
  for (const reference of reached) for (const needed of needs.get(reference)!) reached.add(needed);
  assert.deepEqual([...reached].sort(), [bill.metadata.component['bom-ref'], ...references].sort());
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
