/**
 * D37, D22 – expressions in the routes of a plugin, asked over HTTP: a value past the bound is 414, and links are
 * bounded too.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { text } from '../../../src/core/message/replies.ts';
import { route } from '../../../src/core/routing/route.ts';
import { ask } from '../../support/ask.ts';
import { assertProblem } from '../../support/problem.ts';
import { serveHandler } from '../../support/serve.ts';
import { ALLOWED } from '../routing/constraints/expressions.cases.ts';

/** Of these a segment can be too long: 2,048 characters are the most. */
const BOUNDED = ALLOWED.filter(([, , maxLength]) => maxLength < 2_048);

async function served(t: TestContext) {
  const routes = [
    ...BOUNDED.map(([expression], at) =>
      route({ path: `bounded${at}/{x}` as string, constraints: { x: expression }, handle: () => text('taken') }),
    ),
    route({ path: 'list/m/{x}', constraints: { x: /list|get/m }, handle: () => text('taken') }),
    route({
      path: 'link/{length}',
      handle: ({ values, link }) => text(link('linked', { x: 'a'.repeat(Number(values.length)) }) ?? 'none'),
    }),
    route({ path: 'linked/{x}', name: 'linked', constraints: { x: 'a*a*a*a*' }, handle: () => text('taken') }),
    route({ path: 'bounded0/{later}', handle: () => text('later') }),
    route({ path: 'rest/{*x:regex(.*=.*)}', handle: () => text('taken') }),
  ];
  const { handler, refuse } = application([{ name: 'expressions', routes }]);
  return serveHandler(t, handler, { refuse });
}

test('D37 – a value at the bound of each expression → as it matches; one character more → 414 with the reason', async (t) => {
  const { port } = await served(t);
  assert.ok(BOUNDED.length >= 5);
  for (const [at, [expression, degree, maxLength]] of BOUNDED.entries()) {
    const fits = await ask(port, { target: `/bounded${at}/${'a'.repeat(maxLength)}` });
    assert.ok(fits.status === 200 || fits.status === 404, `${expression}: ${fits.text}`);
    const answer = await ask(port, { target: `/bounded${at}/${'a'.repeat(maxLength + 1)}` });
    const { detail } = assertProblem(answer, 414);
    assert.equal(
      detail,
      `{x:${expression}} takes at most ${maxLength} characters, because its cost grows as length^${degree}; there are ${maxLength + 1}`,
    );
  }
});

test('D37 – the rest of a path, longer than a segment may be → 414 past the bound', async (t) => {
  const { port } = await served(t);
  const half = 'a'.repeat(1_580);
  assert.equal((await ask(port, { target: `/rest/${half}/${half}=` })).status, 200);
  assertProblem(await ask(port, { target: `/rest/${half}/${half}==` }), 414);
});

test('D37 – a link with a value past the bound → none', async (t) => {
  const { port } = await served(t);
  assert.equal((await ask(port, { target: '/link/56' })).text, `/linked/${'a'.repeat(56)}`);
  assert.equal((await ask(port, { target: '/link/57' })).text, 'none');
});

for (const [value, status] of [
  ['list', 200],
  ['list%0Ax', 404],
  ['x%0Alist', 404],
  ['get', 200],
] as const) {
  test(`D22 – /list/m/${value} where the expression has the flag m → ${status}`, async (t) => {
    const { port } = await served(t);
    assert.equal((await ask(port, { target: `/list/m/${value}` })).status, status);
  });
}
