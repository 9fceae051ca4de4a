/** A client generated from each document, compiled with the code that uses its types, and driven against the application. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generateApi } from 'swagger-typescript-api';
import { differencesOf } from './everything/differences.js';
import { everythingJourney } from './everything/journey.js';
import { describeEverything, PLAIN, startEverything } from './everything/start.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const FORMATS = ['2.0', '3.1'];
const DRIVE = ['sent.ts', 'drive.ts'];

let application;
after(() => application.stop());

before(async () => {
  await rm(here('generated/clients'), { recursive: true, force: true });
  await rm(here('generated/compiled'), { recursive: true, force: true });
  application = await startEverything(...PLAIN.flags);
  for (const format of FORMATS) {
    const { files } = await generateApi({
      spec: await describeEverything(PLAIN.flags, format),
      fileName: 'generated.ts',
      output: false,
      httpClientType: 'fetch',
      silent: true,
    });
    const folder = here(`generated/clients/${format}`);
    await mkdir(folder, { recursive: true });
    // It asks the compiler to look away; ours shall look.
    await writeFile(`${folder}/generated.ts`, files[0].fileContent.replace('// @ts-nocheck', ''));
    for (const file of DRIVE) await copyFile(here(`drive/${file}`), `${folder}/${file}`);
  }
});

test('every generated client compiles, and so does the code that uses its types', async () => {
  const compiled = await promisify(execFile)(process.execPath, [
    here('node_modules/typescript/bin/tsc'),
    '-p',
    here('tsconfig.json'),
  ]).catch((error) => error);
  assert.equal(compiled.stdout, '');
});

for (const format of FORMATS)
  test(`swagger-typescript-api from ${format}: every parameter, body, credential and answer`, async () => {
    const compiled = `./generated/compiled/${format}`;
    const [{ client }, sent] = await Promise.all(['drive', 'sent'].map((file) => import(`${compiled}/${file}.js`)));
    await everythingJourney(client(application.base), sent, differencesOf('swagger-typescript-api'));
  });
