import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { mounted } from '../../../src/core/application/mounted.ts';
import { parseTemplate } from '../../../src/core/routing/template.ts';
import { operationId } from '../../../src/operations/operation/operation-id.ts';
import { ok } from '../../../src/operations/operation/results.ts';
import { operation, routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { describeOpenApi } from '../../../src/plugins/description/describe-openapi.ts';
import { describe } from '../../../src/plugins/description/describe-swagger.ts';
import { pathKey, templatePaths } from '../../../src/plugins/description/described-operations.ts';

/** Template and method with the expected paths and operationIds, the shortest path first. */
for (const [clause, method, template, paths, ids] of [
  ['§2.2', 'GET', 'api/todo', ['/api/todo'], ['ApiTodoGet']],
  ['§2.2', 'DELETE', 'api/todo/{id}', ['/api/todo/{id}'], ['ApiTodoByIdDelete']],
  ['A.6', 'GET', 'api/todo/{id:guid}', ['/api/todo/{id}'], ['ApiTodoByIdGet']],
  ['A.6', 'GET', 'api/todo/{id=5}', ['/api/todo/{id}'], ['ApiTodoByIdGet']],
  ['A.6', 'GET', 'api/todo/{*id}', ['/api/todo/{id}'], ['ApiTodoByIdGet']],
  ['A.6', 'GET', 'api/{a}/items/{itemId}', ['/api/{a}/items/{itemId}'], ['ApiByAItemsByItemIdGet']],
  ['A.6', 'GET', '', ['/'], ['Get']],
  ['D15', 'GET', 'api/my-things', ['/api/my-things'], ['ApiMyThingsGet']],
  ['D15', 'GET', 'api/x/per-{period}', ['/api/x/per-{period}'], ['ApiXPerByPeriodGet']],
  ['D15', 'POST', 'api/my_things', ['/api/my_things'], ['ApiMy_thingsPost']],
  ['D15', 'GET', '{from}-{to}', ['/{from}-{to}'], ['ByFromByToGet']],
  ['D15', 'GET', 'a/{my-name}', ['/a/{my-name}'], ['AByMyNameGet']],
  ['D129', 'GET', '2fa/{x}', ['/2fa/{x}'], ['Path2faByXGet']],
  ['D129', 'GET', '_2fa', ['/_2fa'], ['Path_2faGet']],
  ['D129', 'GET', 'ä/2', ['/%C3%A4/2'], ['Path2Get']],
  ['D129', 'GET', '3/{x?}', ['/3', '/3/{x}'], ['Path3Get', 'Path3ByXGet']],
  ['D129', 'GET', '{2x}/2y', ['/{2x}/2y'], ['By2x2yGet']],
  ['D129', 'GET', '_x', ['/_x'], ['_xGet']],
  ['description', 'GET', 'api/todo/{id?}', ['/api/todo', '/api/todo/{id}'], ['ApiTodoGet', 'ApiTodoByIdGet']],
  [
    'description',
    'GET',
    'files/{filename}.{ext?}',
    ['/files/{filename}', '/files/{filename}.{ext}'],
    ['FilesByFilenameGet', 'FilesByFilenameByExtGet'],
  ],
  ['description', 'GET', '{a?}/{b?}', ['/', '/{a}', '/{a}/{b}'], ['Get', 'ByAGet', 'ByAByBGet']],
  ['description', 'GET', '{a?}/{b=1}', ['/', '/{a}/{b}'], ['Get', 'ByAByBGet']],
  ['description', 'GET', 'a/{b?}/c', ['/a/{b}/c'], ['AByBCGet']],
  ['§4.3', 'GET', 'a{{b}}/{c}', ['/a%7Bb%7D/{c}'], ['ABByCGet']],
  ['RFC 3986', 'GET', 'ein tag/ä', ['/ein%20tag/%C3%A4'], ['EinTagGet']],
] as const)
  test(`${clause} – ${method} ${template || '(empty)'} → ${ids.join(', ')}`, () => {
    const described = templatePaths(parseTemplate(template));
    assert.deepEqual(described.map(pathKey), paths);
    assert.deepEqual(
      described.map((segments) => operationId(method, segments)),
      ids,
    );
  });

const read = (path: string, id?: string) =>
  operation({
    method: 'GET',
    path,
    ...(id !== undefined && { id }),
    responses: { 200: { schema: { type: 'array', items: { type: 'string', 'x-nullable': true } } } },
    handle: ({ link, route }) => ok([route.name!, link('readings.list', { id: 1 }) ?? null]),
  });
const readings = (...operations: readonly ReturnType<typeof read>[]) => ({
  name: 'readings',
  routes: routesOf({ name: 'Readings', path: 'readings', operations }),
});
const idsIn = ({ paths }: { readonly paths: object }): readonly string[] =>
  Object.values(paths).flatMap((item) =>
    Object.values(item).map((one) => (one as { operationId: string }).operationId),
  );

test('D98 – a declared id → the operationId in both documents, and the name of the route', async () => {
  const app = application([readings(read('{id}', 'readings.list'), read(''))]);
  for (const write of [describe, describeOpenApi])
    assert.deepEqual(idsIn(write(app.routes, { title: 'T' })), ['readings.list', 'ReadingsGet']);
  assert.deepEqual(await (await app.request('/readings/5')).json(), ['readings.list', '/readings/1']);
});

test('D98 – an operation with a declared id, mounted twice → two names and two ids; links of the handlers still work', async () => {
  const plugin = readings(read('{id}', 'readings.list'));
  const app = application([mounted('east', plugin), mounted('far/ä', mounted('west', plugin))]);
  assert.deepEqual(idsIn(describe(app.routes, { title: 'T' })), ['east.readings.list', 'far.west.readings.list']);
  assert.deepEqual(await (await app.request('/far/%C3%A4/west/readings/5')).json(), [
    'far/ä/west/readings.list',
    '/far/%C3%A4/west/readings/1',
  ]);
});

test('D129 – prefixes that do not begin with a letter → the operationIds of mounted operations do', () => {
  const app = application(['2fa', 'ä'].map((at) => mounted(at, readings(read('{id}', 'list'), read(`at/${at}`)))));
  assert.deepEqual(idsIn(describe(app.routes, { title: 'T' })), [
    'Path2fa.list',
    'Path2faReadingsAt2faGet',
    'Path.list',
    'ReadingsAtGet',
  ]);
});

test('D98 – a declared id and an optional parameter → each path has an id', () => {
  const { routes } = application([readings(read('{year?}/{my-day?}', 'readings.list'), read('x/{id}'))]);
  assert.deepEqual(idsIn(describe(routes, { title: 'T' })), [
    'readings.listWithoutYearMy-day',
    'readings.listWithoutMy-day',
    'readings.list',
    'ReadingsXByIdGet',
  ]);
});

for (const [what, operations, says] of [
  [
    'one derived id',
    [read('a-b'), read('a/b')],
    /"GET readings\/a-b" and "GET readings\/a\/b": both have the operationId "ReadingsABGet" in a generated client/,
  ],
  ['derived ids that differ only in case', [read('ab'), read('a/b')], /both have the operationId "ReadingsABGet"/],
  ['derived ids that differ only in "_"', [read('a-b'), read('a_b')], /both have the operationId "ReadingsA_bGet"/],
  ['declared ids that differ only in "."', [read('a', 'x.y'), read('b', 'xy')], /both have the operationId "xy" in/],
  ['declared ids that differ only in "-"', [read('a', 'x-y'), read('b', 'x_y')], /both have the operationId "x_y" in/],
  [
    'a declared and a derived id that differ only in "."',
    [read('a', 'readings.b.get'), read('b')],
    /ignores case, "\.", "_" and "-"; give one of them an id of its own, \{ id: '…' \}$/,
  ],
  [
    'one method and path, told apart by constraints',
    [read('{id:int}', 'x'), read('{id:guid}', 'y')],
    /"GET readings\/\{id:int\}" and "GET readings\/\{id:guid\}": both are "GET \/readings\/\{\}" in a description; change/,
  ],
  [
    'one method and path but for the names of parameters',
    [read('{a}/{b}', 'x'), read('{b}/{a}', 'y')],
    /both are "GET \/readings\/\{\}\/\{\}" in a description/,
  ],
  ['one method and path, one of them a catch-all', [read('{a}', 'x'), read('{*b}', 'y')], /both are "GET/],
  ['two ids but for case', [read('a', 'x'), read('b', 'X')], /both have the operationId "X" in a generated client/],
] as const)
  test(`D98 – two operations with ${what} → throws`, () =>
    assert.throws(() => application([readings(...operations)]), says));

test('D98 – two paths with the same derived id, one with a declared id → both are composed', () => {
  const { routes } = application([readings(read('a-b'), read('a/b', 'nested'))]);
  assert.deepEqual(idsIn(describe(routes, { title: 'T' })), ['ReadingsABGet', 'nested']);
});

for (const [id, shown] of [
  [5, '5'],
  ['', '""'],
  ['a b', '"a b"'],
  ['lesen/ä', '"lesen/ä"'],
  ['2fa', '"2fa"'],
  ['_2', '"_2"'],
  ['.list', '".list"'],
  ['-', '"-"'],
] as const)
  test(`D129 – the id ${JSON.stringify(id)} → throws, and the message lists the allowed characters`, () =>
    assert.throws(() => application([readings(read('', id as string))]), {
      message: new RegExp(
        `: its "id" is ${shown}; give a letter, then letters, digits, "\\.", "_" and "-" only, or leave it out$`,
      ),
    }));
