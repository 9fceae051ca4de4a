/** Every stage has a name, for it is told by it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('stages – the service with all that can be switched on → stages in their order, each with a name', async (t) => {
  const { application } = await serve(t, {
    staticRoot: temporaryFolder({ 'a.txt': 'a' }),
    accessLog: 2,
    metrics: true,
    healthChecks: true,
    corsOrigins: ['https://a.example'],
    trustedProxies: ['loopback'],
  });
  const names = application.stages.map(({ name }) => name);
  assert.ok(names.length >= 8, names.join(', '));
  assert.deepEqual(
    names.filter((name) => name === ''),
    [],
  );
  assert.equal(names.at(-1), 'routing');
  for (const outer of ['verification', 'accessLog', 'counted', 'corsMarks'])
    assert.ok(
      names.includes(outer) && names.indexOf(outer) < names.indexOf('problems'),
      `${outer} in ${names.join(', ')}`,
    );
  for (const inner of ['metrics', 'cors', 'health', 'swaggerPage', 'staticFiles'])
    assert.ok(names.indexOf(inner) > names.indexOf('problems'), `${inner} in ${names.join(', ')}`);
});
