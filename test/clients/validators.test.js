/** Every variant of both documents in front of three validators: not one error. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, VARIANTS } from './variants.js';

const folder = fileURLToPath(new URL('generated/documents/', import.meta.url));
const documents = [];

before(async () => {
  await mkdir(folder, { recursive: true });
  for (const variant of VARIANTS) {
    await Promise.all(
      ['2.0', '3.1'].map(async (format) => {
        const document = await describe(variant, format);
        const file = `${folder}${variant.name}-${format}.json`;
        await writeFile(file, JSON.stringify(document));
        documents.push({ name: `${variant.name} ${format}`, format, document, file });
      }),
    );
  }
});

test('swagger-parser and @seriousme/openapi-schema-validator find every document valid', async () => {
  for (const { name, format, document } of documents) {
    await SwaggerParser.validate(structuredClone(document));
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    assert.ok(valid, `${name}: ${JSON.stringify(errors, null, 1)}`);
    assert.equal(validator.version, format);
  }
});

test('spectral finds no error, and no warning but those that the specified members of 2.0 force', async () => {
  const spectral = fileURLToPath(new URL('node_modules/@stoplight/spectral-cli/dist/index.js', import.meta.url));
  const rules = fileURLToPath(new URL('spectral.yaml', import.meta.url));
  const findings = await new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [spectral, 'lint', '-r', rules, '-f', 'json', '-q', ...documents.map(({ file }) => file)],
      { maxBuffer: 2 ** 24 },
      (error, printed) => {
        try {
          resolve(JSON.parse(printed));
        } catch {
          reject(error);
        }
      },
    );
  });
  assert.deepEqual(
    findings.filter(({ severity }) => severity === 0),
    [],
  );
  const expected = [
    'oas2-api-host',
    'oas2-api-schemes',
    'operation-tag-defined',
    'info-contact',
    'info-description',
    'operation-description',
  ];
  assert.deepEqual(
    findings.filter(({ code }) => !expected.includes(code)),
    [],
  );
});
