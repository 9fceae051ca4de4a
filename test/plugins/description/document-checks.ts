/** Checks the rules that a document follows in both formats. `test/clients` runs the validators of each format. */
import assert from 'node:assert/strict';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, { readonly description: string; readonly headers?: object }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/** Returns every operation of a document: `[path, method, operation]`. */
export const operationsIn = (document: object): [string, string, Operation][] =>
  Object.entries((document as Document).paths).flatMap(([path, members]) =>
    Object.entries(members).map(([method, operation]): [string, string, Operation] => [path, method, operation]),
  );

/**
 * Asserts that every reference has a target, operationIds are unique, path parameters match the path, every operation
 * has a response, every response has a text, and the methods of a path are in order.
 */
export function checkDocument(document: object): void {
  for (const reference of referencesIn(document)) assert.ok(lookUp(document, reference), `${reference} leads nowhere`);
  const operations = operationsIn(document);
  const ids = operations.map(([, , { operationId }]) => operationId);
  assert.equal(new Set(ids).size, ids.length, `an operationId is there twice: ${ids.join(', ')}`);
  for (const [path, method, operation] of operations) {
    assert.match(operation.operationId, /^[A-Za-z0-9_]+$/);
    assert.ok(path.startsWith('/') && METHODS.includes(method), `${method} ${path}`);
    const named = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name);
    const described = operation.parameters.filter((parameter) => parameter.in === 'path');
    const names = described.map(({ name }) => name);
    assert.deepEqual(names, named, path);
    assert.ok(
      described.every(({ required }) => required),
      path,
    );
    assert.ok(Object.keys(operation.responses).length > 0, path);
    for (const [status, { description }] of Object.entries(operation.responses))
      assert.ok(/^[2345]\d\d$/.test(status) && description !== '', `${path} ${status}`);
  }
  for (const [path, members] of Object.entries((document as Document).paths)) {
    const order = Object.keys(members).map((method) => METHODS.indexOf(method));
    const sorted = order.toSorted((left, right) => left - right);
    assert.deepEqual(order, sorted, `the order of the methods of ${path}`);
  }
}

const referencesIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, member]) => (name === '$ref' ? [member as string] : referencesIn(member)));

const lookUp = (document: object, reference: string): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>((found, step) => (found as Record<string, unknown> | undefined)?.[step], document);
