/** Clients generated from either document, compiled with the types they came with, and driven against the service. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { generateApi } from 'swagger-typescript-api';
import { differencesOf } from './everything/differences.js';
import { everythingJourney } from './everything/journey.js';
import { describeEverything, PLAIN, startEverything } from './everything/start.js';
import { typedFile } from './everything/typed.js';
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
  {
    name: 'openapi-typescript-7',
    format: '3.1',
    generate: async (document) => astToString(await openapiTypescript(document)),
  },
];

/** What clients are generated for: how it starts, its documents, the files to drive it, by the name in the folder. */
const SERVICES = [
  ...[BASE, ANNOTATED].map((variant) => ({
    name: variant.name,
    start: () => startService(...variant.flags),
    describe: (format) => describe(variant, format),
    drive: (generator) => ({
      'client.ts': 'todo/client.ts',
      'names.ts': `todo/names.${variant.naming}.ts`,
      'drive.ts': `todo/${generator}.ts`,
    }),
    journey: ({ clientOf }) => journey(clientOf()),
    title: 'all six operations',
  })),
  {
    name: PLAIN.name,
    start: () => startEverything(...PLAIN.flags),
    describe: (format) => describeEverything(PLAIN.flags, format),
    drive: (generator) => ({
      'client.ts': 'everything/client.ts',
      'sent.ts': 'everything/sent.ts',
      'drive.ts': `everything/${generator}.ts`,
    }),
    typed: typedFile,
    async journey({ clientOf, folder, generator, format }) {
      const sent = await import(`./generated/compiled/${folder}/sent.js`);
      await everythingJourney(clientOf(), sent, differencesOf(generator, format));
    },
    title: 'every parameter, body, credential and answer',
  },
];
const CLIENTS = SERVICES.flatMap((service) =>
  GENERATORS.map((generator) => ({
    service,
    ...generator,
    folder: `${generator.name}-${generator.format}-${service.name}`,
  })),
);

const running = new Map();
after(() => Promise.all([...running.values()].map((service) => service.stop())));

before(async () => {
  await rm(here('generated/clients'), { recursive: true, force: true });
  await rm(here('generated/compiled'), { recursive: true, force: true });
  for (const service of SERVICES) {
    running.set(service, await service.start());
    const documents = { '2.0': await service.describe('2.0'), 3.1: await service.describe('3.1') };
    for (const client of CLIENTS.filter((one) => one.service === service)) {
      const folder = here(`generated/clients/${client.folder}`);
      await mkdir(folder, { recursive: true });
      await writeFile(`${folder}/generated.ts`, await client.generate(structuredClone(documents[client.format])));
      for (const [file, source] of Object.entries(service.drive(client.name)))
        await copyFile(here(`drive/${source}`), `${folder}/${file}`);
      if (service.typed) await writeFile(`${folder}/typed.ts`, service.typed(client.name, client.format));
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

for (const { name, format, service, folder } of CLIENTS) {
  test(`${name} from ${format}, ${service.name}: ${service.title}`, async () => {
    const { client } = await import(`./generated/compiled/${folder}/drive.js`);
    const { base } = running.get(service);
    const clientOf = (token) => client(base, token);
    await service.journey({ clientOf, folder, generator: name, format });
  });
}
