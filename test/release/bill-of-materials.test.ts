/** Tests what the bill of materials names (D91). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
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
