/**
 * Counts the programs of the tasks and prints a table: lines, what is typed, what is described, what is validated, and
 * the bytes of what is installed. Each claim of `claims.js` is checked first; a wrong one ends the script with code 1.
 */
import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { documentOf, LIBRARIES } from './ask.js';
import { DESCRIBED, TYPED } from './claims.js';
import { of } from './row.ts';

const TASKS = ['auth', 'query', 'nested', 'upload', 'events', 'limit', 'store'];
const NAMES = { own: 'here', fastify: 'Fastify', hono: 'Hono' };
/** What a service of all tasks installs. Hono needs a package to listen with Node. */
const PACKAGES = {
  own: [],
  fastify: [
    'fastify',
    '@fastify/bearer-auth',
    '@fastify/multipart',
    '@fastify/rate-limit',
    '@fastify/sse',
    '@fastify/swagger',
    '@fastify/type-provider-typebox',
    'typebox',
  ],
  hono: ['hono', '@hono/node-server', '@hono/zod-openapi', 'hono-rate-limiter', 'zod'],
};
const here = (path) => new URL(path, import.meta.url);

/** The lines of a program without blanks, comments and imports. */
const linesOf = (text) =>
  text
    .replace(/^import [^;]*;$/gm, '')
    .replace(/^ *(?:\/\/.*|\/\*[^]*?\*\/)$/gm, '')
    .split('\n')
    .filter((line) => line.trim() !== '').length;

const programOf = (library, task) => readFileSync(here(`${library}/${task}.ts`), 'utf8');

/** Which of the claims about types the compiler confirms: each is a copy of a program with one wrong word. */
function confirmedTypes() {
  const copies = TYPED.flatMap((claim, index) =>
    LIBRARIES.map((library) => ({ claim, library, path: `${library}/${claim.task}.claim-${index}.ts` })),
  );
  try {
    for (const { claim, library, path } of copies) {
      const program = programOf(library, claim.task);
      const [right, wrong] = claim.words.all ?? claim.words[library];
      if (!program.includes(right)) throw new Error(`${library}/${claim.task}.ts has no "${right}"`);
      const text = wrong.includes('problem(')
        ? `import { problem } from '../../../src/index.ts';\n${program}`
        : program;
      writeFileSync(here(path), text.replace(right, wrong));
    }
    const compiler = here('../../node_modules/.bin/tsc').pathname;
    const { stdout } = spawnSync(
      compiler,
      ['-p', here('.').pathname, '--pretty', 'false', '--noUnusedLocals', 'false'],
      { encoding: 'utf8', cwd: here('.') },
    );
    const foreign = stdout.split('\n').filter((line) => /^\S+\.ts\(/.test(line) && !line.includes('.claim-'));
    if (foreign.length > 0) throw new Error(`The programs do not compile:\n${foreign.join('\n')}`);
    return copies.filter(({ path }) => stdout.includes(`${path}(`));
  } finally {
    for (const { path } of copies) rmSync(here(path), { force: true });
  }
}

/** A document with each reference replaced by what it refers to. */
function resolved(document) {
  const resolve = (value) => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    if (typeof value.$ref === 'string')
      return resolve(
        value.$ref
          .slice(2)
          .split('/')
          .reduce((at, name) => at[name], document),
      );
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member)]));
  };
  return resolve(document);
}

async function confirmedDescriptions() {
  const confirmed = [];
  for (const task of new Set(DESCRIBED.map((claim) => claim.task)))
    for (const library of LIBRARIES) {
      const program = await import(`./${library}/${task}.ts`);
      const app = program.app ?? (await program.applicationWith());
      await app.start?.();
      const document = resolved(await documentOf(library, app));
      for (const claim of DESCRIBED.filter((one) => one.task === task)) {
        const item = document.paths[claim.path];
        if (item === undefined)
          throw new Error(`${library} describes no ${claim.path}: ${Object.keys(document.paths)}`);
        if (claim.find(item, document)) confirmed.push({ claim, library });
      }
      await app.close?.();
    }
  return confirmed;
}

/** Prints the claims that are not as they say. */
function wrongClaims(kind, claims, confirmed) {
  return claims.flatMap((claim) =>
    LIBRARIES.flatMap((library) => {
      const isConfirmed = confirmed.some((one) => one.claim === claim && one.library === library);
      if (isConfirmed === claim.holds.includes(library)) return [];
      return [`${library}/${claim.task}.ts: ${claim.what} is ${isConfirmed ? '' : 'not '}${kind}`];
    }),
  );
}

/** How much of the bad input among the rows of a task each library refuses. */
async function refusals(task) {
  if (task === 'events') return undefined;
  const { ROWS } = await import(`./${task}.cases.ts`);
  const bad = ROWS.filter(({ status, isExtra }) => !isExtra && of(status, 'own') >= 400);
  return LIBRARIES.map((library) => `${bad.filter(({ status }) => of(status, library) >= 400).length}/${bad.length}`);
}

/** The packages that some packages need, by the lock file. */
function closure(names) {
  const { packages } = JSON.parse(readFileSync(here('package-lock.json'), 'utf8'));
  const found = new Set();
  const visit = (name, from) => {
    let folder = from;
    let path = `${folder}node_modules/${name}`;
    while (packages[path] === undefined && folder !== '') {
      folder = folder.replace(
        /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+\/$/,
        folder.startsWith('node_modules') && folder.split('node_modules').length === 2 ? '' : '/',
      );
      path = `${folder}node_modules/${name}`;
    }
    if (packages[path] === undefined || found.has(path)) return;
    found.add(path);
    for (const needed of Object.keys(packages[path].dependencies ?? {})) visit(needed, `${path}/`);
  };
  for (const name of names) visit(name, '');
  return [...found];
}

function bytesIn(path) {
  const status = lstatSync(here(path));
  if (!status.isDirectory()) return status.size;
  return readdirSync(here(path))
    .filter((name) => name !== 'node_modules')
    .reduce((sum, name) => sum + bytesIn(`${path}/${name}`), 0);
}

const types = confirmedTypes();
const descriptions = await confirmedDescriptions();
const wrong = [...wrongClaims('typed', TYPED, types), ...wrongClaims('described', DESCRIBED, descriptions)];

const row = (cells) => console.log(`| ${cells.join(' | ')} |`);
const names = LIBRARIES.map((library) => NAMES[library]).join(' / ');
row(['Task', `Lines: ${names}`, 'Typed', 'Described', 'Bad input refused']);
row(['---', '---', '---', '---', '---']);
const share = (claims, confirmed) =>
  claims.length === 0
    ? '–'
    : LIBRARIES.map(
        (library) =>
          `${confirmed.filter((one) => one.library === library && claims.includes(one.claim)).length}/${claims.length}`,
      ).join(' ');
for (const task of TASKS) {
  const lines = LIBRARIES.map((library) => linesOf(programOf(library, task))).join(' / ');
  const of = (claims) => claims.filter((claim) => claim.task === task);
  row([
    task,
    lines,
    share(of(TYPED), types),
    share(of(DESCRIBED), descriptions),
    (await refusals(task))?.join(' ') ?? '–',
  ]);
}
const sum = (library) => TASKS.reduce((lines, task) => lines + linesOf(programOf(library, task)), 0);
row(['all', LIBRARIES.map(sum).join(' / '), share(TYPED, types), share(DESCRIBED, descriptions), '']);
console.log('');
for (const library of LIBRARIES) {
  const packages = closure(PACKAGES[library]);
  const bytes = packages.reduce((all, path) => all + bytesIn(path), 0);
  console.log(`${NAMES[library]} installs ${packages.length} packages, ${(bytes / 1e6).toFixed(1)} MB`);
}
for (const [kind, claims, confirmed] of [
  ['typed', TYPED, types],
  ['described', DESCRIBED, descriptions],
])
  for (const library of LIBRARIES) {
    const missing = claims.filter((claim) => !confirmed.some((one) => one.claim === claim && one.library === library));
    console.log(
      `${NAMES[library]}, not ${kind}: ${missing.map(({ task, what }) => `${what} (${task})`).join(', ') || 'none'}`,
    );
  }
for (const line of wrong) console.error(`Wrong claim: ${line}`);
process.exit(wrong.length > 0 ? 1 : 0);
