/** Every variant of both documents in front of three validators: not one error. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describeEverything, PLAIN, SPELT } from './everything/start.js';
import { printedBy } from './service.js';
import { describe, VARIANTS } from './variants.js';

const SUBJECTS = [
  ...VARIANTS.map((variant) => ({ name: variant.name, describe: (format) => describe(variant, format) })),
  ...['v1', 'v2'].map((version) => ({
    name: `lending-${version}`,
    describe: (format) => printedBy('test/lending/describe.ts', version, format === '2.0' ? 'swagger' : 'openapi'),
  })),
  ...[PLAIN, SPELT].map(({ name, flags }) => ({ name, describe: (format) => describeEverything(flags, format) })),
];

/** Warnings about what is true all the same, each with its reason. */
const EXPECTED = {
  'oas2-api-host': 'the service does not know under which name it is called',
  'oas2-api-schemes': 'nor by which scheme',
  'oas2-unused-definition': 'the schemas of a oneOf, which 2.0 cannot refer to, are there for people',
  'oas3-operation-security-defined': '3.1 allows roles for every scheme, 3.0 did not',
  'operation-tag-defined': '2.0 has no member tags (§2.2)',
  'info-contact': 'the settings give none',
  'operation-description': 'an operation with a summary needs no longer text',
};

/** What spectral calls an error, by rule and place, each with its reason. */
const EXPECTED_ERRORS = {
  'oas2-valid-media-example paths./api/answers/rows.get.responses.200.examples.text/csv':
    '2.0 has one schema for all media types of a response, here that of the JSON; its examples may be of any (D72)',
};

const folder = fileURLToPath(new URL('generated/documents/', import.meta.url));
const documents = [];

before(async () => {
  await mkdir(folder, { recursive: true });
  for (const { name, describe } of SUBJECTS) {
    await Promise.all(
      ['2.0', '3.1'].map(async (format) => {
        const document = await describe(format);
        const file = `${folder}${name}-${format}.json`;
        await writeFile(file, JSON.stringify(document));
        documents.push({ name: `${name} ${format}`, format, document, file });
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

test('spectral finds no error and no warning but the expected ones', async () => {
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
  const isError = ({ severity }) => severity === 0;
  const errors = new Set(findings.filter(isError).map(({ code, path }) => `${code} ${path.join('.')}`));
  assert.deepEqual([...errors].sort(), Object.keys(EXPECTED_ERRORS).sort());
  const codes = new Set(findings.filter((one) => !isError(one)).map(({ code }) => code));
  assert.deepEqual([...codes].sort(), Object.keys(EXPECTED).sort());
  const placesOf = (code) =>
    [...new Set(findings.filter((one) => one.code === code).map(({ path }) => path.join('.')))].sort();
  assert.deepEqual(placesOf('oas2-unused-definition'), ['definitions.Circle', 'definitions.Square']);
  assert.deepEqual(placesOf('oas3-operation-security-defined'), [
    'paths./api/secrets.delete.security.0.Bearer.0',
    ...['/devices.post', '/devices/{serial}.put'].flatMap((place) => [
      `paths.${place}.security.0.Staff.0`,
      `paths.${place}.security.1.Session.0`,
    ]),
  ]);
});
