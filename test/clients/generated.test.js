/** Clients generated from either document, compiled with the types they came with, and driven against the service. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import openapiTypescript, { astToString } from 'openapi-typescript';
import openapiTypescript5 from 'openapi-typescript-5';
import { generateApi } from 'swagger-typescript-api';
import { journey } from './journey.js';
import { startService } from './service.js';
import { ANNOTATED, BASE, describe } from './variants.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const swaggerTypescriptApi = async (spec) => {
  const { files } = await generateApi({
    spec,
    fileName: 'generated.ts',
    output: false,
    httpClientType: 'fetch',
    silent: true,
  });
  // It asks the compiler to look away; ours shall look.
  return files[0].fileContent.replace('// @ts-nocheck', '');
};

const GENERATORS = [
  { name: 'swagger-typescript-api', format: '2.0', generate: swaggerTypescriptApi },
  { name: 'swagger-typescript-api', format: '3.1', generate: swaggerTypescriptApi },
  { name: 'openapi-typescript-5', format: '2.0', generate: (document) => openapiTypescript5(document) },
  {
    name: 'openapi-typescript-7',
    format: '3.1',
    generate: async (document) => astToString(await openapiTypescript(document)),
  },
];
const CLIENTS = [BASE, ANNOTATED].flatMap((variant) =>
  GENERATORS.map((generator) => ({
    ...generator,
    variant,
    folder: `${generator.name}-${generator.format}-${variant.name}`,
    title: `${generator.name} from ${generator.format}, ${variant.name}`,
  })),
);

const services = new Map();
after(() => Promise.all([...services.values()].map((service) => service.stop())));

before(async () => {
  await rm(here('generated/clients'), { recursive: true, force: true });
  await rm(here('generated/compiled'), { recursive: true, force: true });
  for (const variant of [BASE, ANNOTATED]) {
    services.set(variant, await startService(...variant.flags));
    const documents = { '2.0': await describe(variant, '2.0'), 3.1: await describe(variant, '3.1') };
    for (const client of CLIENTS.filter((one) => one.variant === variant)) {
      const folder = here(`generated/clients/${client.folder}`);
      await mkdir(folder, { recursive: true });
      await writeFile(`${folder}/generated.ts`, await client.generate(structuredClone(documents[client.format])));
      await copyFile(here('drive/client.ts'), `${folder}/client.ts`);
      await copyFile(here(`drive/names.${variant.naming}.ts`), `${folder}/names.ts`);
      await copyFile(here(`drive/${client.name}.ts`), `${folder}/drive.ts`);
    }
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

for (const { title, folder, variant } of CLIENTS) {
  test(`${title}: all six operations`, async () => {
    const { client } = await import(`./generated/compiled/${folder}/drive.js`);
    await journey(client(services.get(variant).base));
  });
}
