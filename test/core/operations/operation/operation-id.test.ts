import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationId, refuseDuplicates } from '../../../../src/core/operations/operation/operation-id.ts';
import { parseTemplate } from '../../../../src/core/routing/template.ts';
import { templatePaths } from '../../../../src/extensions/description/document.ts';

/** Template, method, and what the paths and the operationIds of all of them are, the shortest path first. */
const CASES: readonly (readonly [
  clause: string,
  method: string,
  template: string,
  paths: readonly string[],
  ids: readonly string[],
])[] = [
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
];

for (const [clause, method, template, paths, ids] of CASES) {
  test(`${clause} – ${method} ${template || '(empty)'} → ${ids.join(', ')}`, () => {
    const described = templatePaths(parseTemplate(template));
    assert.deepEqual(
      described.map(({ key }) => key),
      paths,
    );
    assert.deepEqual(
      described.map(({ segments }) => operationId(method, segments)),
      ids,
    );
  });
}

test('D15 – an operationId that two routes make is refused, and both are named', () => {
  assert.doesNotThrow(() =>
    refuseDuplicates([
      ['ApiTodoGet', 'GET api/todo'],
      ['ApiTodoPost', 'POST api/todo'],
    ]),
  );
  assert.throws(
    () =>
      refuseDuplicates([
        ['ApiTodoGet', 'GET apiTodo'],
        ['ApiTodoGet', 'GET api/todo'],
      ]),
    {
      message:
        'Cannot describe "GET apiTodo" and "GET api/todo": both make the operationId "ApiTodoGet"; change the path of one',
    },
  );
});
