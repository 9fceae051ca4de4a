/** D37, D22 – expressions in the routes of a plugin, asked over HTTP. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { text } from '../../../src/core/message/replies.ts';
import { route } from '../../../src/core/routing/route.ts';
import { ask } from '../../support/ask.ts';
import { serveHandler } from '../../support/serve.ts';
import { DEGREES } from '../routing/constraints/expressions.cases.ts';

const SQUARES = DEGREES.filter(([, degree]) => degree === 2);

async function served(t: TestContext) {
  const routes = [
    ...SQUARES.map(([expression], at) =>
      route({ path: `square${at}/{x}` as string, constraints: { x: expression }, handle: () => text('taken') }),
    ),
    route({ path: 'list/m/{x}', constraints: { x: /list|get/m }, handle: () => text('taken') }),
    route({ path: 'rest/{*x:regex(.*=.*)}', handle: () => text('taken') }),
    route({ path: 'rest/{*x}', handle: () => text('another') }),
  ];
  const { handler, refuse } = application([{ name: 'expressions', routes }]);
  return serveHandler(t, handler, { refuse });
}

test('D37 – the longest segment for each expression whose time grows as the square → as it matches', async (t) => {
  const { port } = await served(t);
  assert.ok(SQUARES.length >= 5);
  for (const [at, [expression]] of SQUARES.entries()) {
    const { status, text: answer } = await ask(port, { target: `/square${at}/${'a'.repeat(2_048)}` });
    assert.ok(status === 200 || status === 404, `${expression}: ${answer}`);
  }
});

test('D37 – the rest of a path for such an expression, longer than a segment may be → the next route', async (t) => {
  const { port } = await served(t);
  const half = 'a'.repeat(1_023);
  assert.equal((await ask(port, { target: `/rest/${half}/${half}=` })).text, 'taken');
  assert.equal((await ask(port, { target: `/rest/${half}/${half}==` })).text, 'another');
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
