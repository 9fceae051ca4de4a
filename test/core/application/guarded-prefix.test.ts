/**
 * A stage of a plugin with a prefix sees every request that a route or a file below that prefix answers, however the
 * client spells the path (§4.3 rule 3, D16, D21, D36). The spellings are random; a seed gives the same spellings each
 * time.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { mounted } from '../../../src/core/application/mounted.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import { HttpProblem } from '../../../src/core/http/problem.ts';
import { text } from '../../../src/core/http/replies.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';
import { route } from '../../../src/core/routing/route.ts';
import { staticFiles } from '../../../src/plugins/files/files.ts';
import { contextFor } from '../../../src/testing.ts';
import { often } from '../../support/long-run.ts';
import { routed } from '../../support/plain-routes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { throwing } from '../../support/throwing.ts';
import { randomNumbers } from '../routing/random-routes.ts';

/** The number of spellings for each way, each prefix and each base path. */
const SPELLINGS = often(40, 120);

const refuse: Stage = throwing(new HttpProblem(403, 'The guard has seen it'));

const INSIDE = 'inside';
const inside = (path: string) => route({ method: 'GET', path, handle: () => text(INSIDE) });
const elsewhere = routed('{*rest}', () => text('elsewhere'));
const guardAt = (prefix: string): Plugin => ({ name: 'guard', prefix: `/${encodeURI(prefix)}` });
const inner = (stages: readonly Stage[]): Plugin => ({
  name: 'inner',
  stages,
  routes: [inside(''), inside('one/{x?}'), inside('{a}.{b}'), inside('{*rest}')],
});
const below = (prefix: string): Plugin => ({ name: 'routes', routes: [inside(prefix), inside(`${prefix}/{*rest}`)] });

const FILES = temporaryFolder({ 'a.txt': 'outside', 'sub/a.txt': INSIDE, 'sub/index.html': INSIDE });

/** A way to put a guard in front of routes or files below a prefix. `stages` has the guard, or is empty. */
interface Way {
  readonly plugins: (prefix: string, stages: readonly Stage[]) => readonly Plugin[];
  /** The path of the guarded routes or files; the prefix by default. */
  readonly place?: (prefix: string) => string;
}

const WAYS: Readonly<Record<string, Way>> = {
  'mounted(…)': { plugins: (prefix, stages) => [mounted(prefix, inner(stages)), elsewhere] },
  'mounted(…) in mounted(…)': {
    plugins: (prefix, stages) => [mounted('Outer', mounted(prefix, inner(stages))), elsewhere],
    place: (prefix) => `outer/${prefix}`,
  },
  'a plugin with a prefix in front of routes': {
    plugins: (prefix, stages) => [{ ...guardAt(prefix), stages }, below(prefix), elsewhere],
  },
  'outer stages of a plugin with a prefix in front of routes': {
    plugins: (prefix, outerStages) => [below(prefix), { ...guardAt(prefix), outerStages }, elsewhere],
  },
  'a plugin with a prefix in front of files': {
    plugins: (prefix, stages) => [
      { ...guardAt(`${prefix}/sub`), stages },
      { name: 'files', stages: [staticFiles({ root: FILES, at: prefix })] },
      elsewhere,
    ],
    place: (prefix) => `${prefix}/sub`,
  },
};

const PREFIXES =
  "tools Tools/clock a.b/c-d_e~f it's/(1)+2@x:y café straße/Ünïcode İstanbul/ıſ \u212ailo/Ωμέγα ᾀᾳ 日本/𝒳 e\u0301".split(
    ' ',
  );
const BASE_PATHS = ['', '/b%C3%A4se/X'];

/** The ends of paths, after the prefix. */
const ENDS = ['', '/', '/one', '/One/2', '/a.txt', '/x/y/z'];

type Random = () => number;

/** Returns a character as a client may send it: in either case, percent-encoded or not. */
function spelledCharacter(character: string, random: Random): string {
  const cased = random() < 0.3 ? oneOf([character.toUpperCase(), character.toLowerCase()], random) : character;
  if (/^[\w.~!$&'()*+,;=:@-]$/.test(cased) && random() < 0.7) return cased;
  return [...Buffer.from(cased)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .map((hex) => `%${random() < 0.5 ? hex.toUpperCase() : hex}`)
    .join('');
}

/** Replacements of a slash. */
const SLASHES = '// /./ /%2e/ /x/../ /x/%2E./ /x/y/..%2f../ %2F %2f \\ %5C /;/ %252f /'.split(' ');

/** Variants of a whole path; three of eight paths are unchanged. */
const AROUND: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `${path}?/../..`,
  (path) => `http://localhost${path}`,
  (path) => `/%2e${path}`,
  (path) => `/x/..${path}`,
];

const oneOf = <Value>(values: readonly Value[], random: Random): Value => values[Math.floor(random() * values.length)]!;

function spelled(path: string, random: Random): string {
  const characters = [...path].map((character, at) => {
    if (character !== '/') return spelledCharacter(character, random);
    return at === 0 || random() > 0.1 ? '/' : oneOf(SLASHES, random);
  });
  const around = AROUND[Math.floor(random() * 8)] ?? ((whole) => whole);
  return around(characters.join(''));
}

/** Returns a function that requests a target and returns the body, or the status of a problem. */
function requesting(plugins: readonly Plugin[], basePath: string): (target: string) => Promise<string> {
  const { handler } = application(plugins, { basePath, warn: () => {} });
  return async (target) => {
    try {
      const { status, body } = await handler(contextFor(target, { basePath }));
      return status === 200 ? Buffer.from(body as string).toString() : String(status);
    } catch (error) {
      if (error instanceof HttpProblem) return String(error.status);
      throw error;
    }
  };
}

let seed = 1;
for (const [way, { plugins, place = (prefix: string) => prefix }] of Object.entries(WAYS))
  for (const prefix of PREFIXES)
    for (const basePath of BASE_PATHS) {
      const random = randomNumbers(seed++);
      test(`plugins – ${way}, below "${basePath}", at "${prefix}" → the guard sees every spelling that reaches them`, async () => {
        const open = requesting(plugins(prefix, []), basePath);
        const guarded = requesting(plugins(prefix, [refuse]), basePath);
        const escaped: string[] = [];
        let answered = 0;
        for (let count = 0; count < SPELLINGS; count++) {
          const base = random() < 0.8 ? decodeURIComponent(basePath) : '';
          const target = spelled(`${base}/${place(prefix)}${oneOf(ENDS, random)}`, random);
          if ((await open(target)) !== INSIDE) continue;
          answered++;
          if ((await guarded(target)) !== '403') escaped.push(target);
        }
        assert.deepEqual(escaped, []);
        assert.ok(answered > 0, 'no spelling was answered');
        for (const other of [`${place(prefix)}x/one`, [...place(prefix)].slice(0, -1).join('')])
          assert.equal(await guarded(encodeURI(`/${other}`)), 'elsewhere');
      });
    }

for (const prefix of ['tools', '/tools/', '//tools', '/a//b', '/a/../b', '/%2e', '/%zz', '/café', '/{id}', '/a?b', 7])
  test(`plugins – a plugin with the prefix ${prefix}, below which it would see no request → an error`, () =>
    assert.throws(
      () => application([{ name: 'guard', prefix: prefix as string, stages: [refuse] }]),
      /^PluginError: Cannot add the plugin "guard": its "prefix" is .*; give a path such as "\/tools"/,
    ));
