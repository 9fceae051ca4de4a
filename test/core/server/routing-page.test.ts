/** Each row of the tables on the routing page is tested with the library and over HTTP (§4.3). */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { runInThisContext } from 'node:vm';
import { application } from '../../../src/core/application/application.ts';
import { json } from '../../../src/core/http/replies.ts';
import { CONSTRAINTS } from '../../../src/core/routing/constraints/constraint-table.ts';
import { type Route, type RouteDeclaration, type RouteHandler, route } from '../../../src/core/routing/route.ts';
import { RouteCollection } from '../../../src/core/routing/route-collection.ts';
import { textOf } from '../../house/source-files.ts';
import { ask } from '../../support/ask.ts';
import { serve, serveHandler } from '../../support/serve.ts';

const PAGE = 'src/guide/routing.md';

/** The texts of the cells of a row. */
type Row = readonly string[];

/** The tables of the page: the cells of the head, joined with ` | `, and the rows. */
const tables = [...textOf(PAGE).matchAll(/^\| (.+) \|\n\|[-|]+\|\n((?:\|.*\|\n)+)/gm)].map(([, head, body]) => ({
  head: head!,
  rows: body!
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(2, -2).split(' | ')),
}));

const rowsOf = (head: string): Row[] => tables.filter((table) => table.head === head).flatMap(({ rows }) => rows);

/** Returns the texts of a cell in backticks; `*empty*` is the empty text. In a table, `|` is escaped. */
const textsIn = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`|\*empty\*/g)].map(([, text = '']) => text.replaceAll('\\|', '|'));
const textIn = (cell: string): string => textsIn(cell)[0] ?? '';
const valueOf = (expression: string) => runInThisContext(`(${expression})`);

/** Returns the route of a template, with or without methods in front, or of the members of a declaration. */
function routeOf(text: string, handle: RouteHandler): Route {
  if (/\bpath: /.test(text)) return route({ ...(valueOf(`{ ${text} }`) as RouteDeclaration), handle });
  const [, methods, path] = /^(?:([A-Z,]+) )?(.*)$/.exec(text)!;
  return route({ path: path!, ...(methods && { method: methods.split(',') }), handle } as RouteDeclaration);
}

const listen = (t: TestContext, routes: readonly Route[]): Promise<{ port: number }> => {
  const { handler, refuse } = application([{ name: 'page', routes }], { warn: () => {} });
  return serveHandler(t, handler, { refuse });
};

/** Returns the route and the values that match the request. The library and HTTP must agree. */
async function matchOf(t: TestContext, texts: readonly string[], method: string, target: string) {
  const routes: Route[] = texts.map((text) =>
    routeOf(text, ({ values, route }) => json({ at: routes.indexOf(route), values })),
  );
  const { port } = await listen(t, routes);
  const { status, headers, body } = await ask(port, { method, target });
  const collection = new RouteCollection().add(...routes);
  // The server removes the query and dot segments before routing.
  const path = new URL(`http://host${target}`).pathname;
  const found = collection.find(method, path);
  assert.equal(status, found === undefined ? 404 : 200, `${status} over HTTP`);
  if (found === undefined) return undefined;
  const match = { at: routes.indexOf(found.route), values: { ...found.values } };
  if (method === 'HEAD') assert.equal(Number(headers['content-length']), JSON.stringify(match).length);
  else assert.deepEqual(JSON.parse(body.toString()), match);
  return match;
}

for (const [template, request, answer] of [
  ...rowsOf('Template | Request | Answer'),
  ...rowsOf('Route | Request | Answer'),
])
  test(`4.3 – the page says that ${template} answers ${request} → ${answer}`, async (t) => {
    const match = await matchOf(t, [textIn(template!)], 'GET', textIn(request!));
    const wanted = textIn(answer!);
    assert.deepEqual(match?.values, wanted === '404' ? undefined : JSON.parse(wanted));
  });

for (const [template, message] of rowsOf('Invalid template | Message'))
  test(`4.3 – the page says that ${template} is invalid → ${message}`, () => {
    const add = () => new RouteCollection().add(routeOf(textIn(template!), () => json({})));
    assert.throws(add, (error: Error) => error.message.includes(message!));
  });

for (const [constraint, takes, refuses] of rowsOf('Constraint | Takes | Rejects | Accepts'))
  test(`4.3 – the page says what ${constraint} accepts → ${takes}, and not ${refuses}`, async (t) => {
    const template = `v/{*x:${textIn(constraint!).replaceAll(/[{}]/g, '$&$&')}}`;
    for (const [values, isAccepted] of [
      [textsIn(takes!), true],
      [textsIn(refuses!), false],
    ] as const) {
      assert.ok(values.length > 0);
      for (const value of values) {
        const match = await matchOf(t, [template], 'GET', `/v/${encodeURIComponent(value)}`);
        assert.deepEqual(match?.values, isAccepted ? { x: value } : undefined, value);
      }
    }
  });

test('4.3 – the page on routing → lists each constraint once', () => {
  const listed = rowsOf('Constraint | Takes | Rejects | Accepts').map(([constraint]) =>
    textIn(constraint!).replace(/\(.*/, ''),
  );
  assert.deepEqual(listed.toSorted(), Object.keys(CONSTRAINTS).sort());
  assert.equal(listed.length, 17);
});

for (const [routes, request, answer] of rowsOf('Routes, in order | Request | Answered by'))
  test(`4.3 – the page says which of ${routes} answers ${request} → ${answer}`, async (t) => {
    const [method, target] = textIn(request!).split(' ');
    const match = await matchOf(t, textsIn(routes!), method!, target!);
    assert.equal(match === undefined ? '404' : textsIn(routes!)[match.at], textIn(answer!));
  });

for (const [template, current, given, link] of rowsOf('Route | Current request | Given | Link'))
  test(`4.3 – the page says that ${template}, at ${current}, links with ${given} → ${link}`, async (t) => {
    const values = valueOf(textIn(given!));
    const wanted = textIn(link!) || undefined;
    // Without a current request of the route, another route makes the link.
    const elsewhere = route({ path: 'elsewhere', handle: ({ link }) => json({ link: link('it', values) }) });
    const ownLink: RouteHandler = ({ link }) => {
      if (wanted !== undefined) return json({ link: link(values) });
      assert.throws(() => link(values), /has no path for these values/);
      return json({});
    };
    const asked = { ...routeOf(textIn(template!), ownLink), name: 'it' };
    const { port } = await listen(t, [elsewhere, asked]);
    const target = textIn(current!);
    assert.equal((await ask(port, { target: target || '/elsewhere' })).json().link, wanted);
    const collection = new RouteCollection().add(asked);
    const ambient = target === '' ? undefined : collection.find('GET', target)!.values;
    assert.equal(collection.link(values, { route: asked, ...(ambient && { ambient }) })?.path, wanted);
  });

for (const [routes, given, link] of rowsOf('Routes, in order | Given | Link of the first that has one'))
  test(`4.3 – the page says how ${routes} link with ${given} → ${link}`, async (t) => {
    const values = valueOf(textIn(given!));
    const all = textsIn(routes!).map((text) => routeOf(text, () => json({})));
    const elsewhere = route({ path: 'elsewhere', handle: ({ routes }) => json({ link: routes.link(values)?.path }) });
    // It is the last route, since it has a link for any values.
    const { port } = await listen(t, [...all, elsewhere]);
    assert.equal((await ask(port, { target: '/elsewhere' })).json().link, textIn(link!));
    assert.equal(new RouteCollection().add(...all).link(values)?.path, textIn(link!));
  });

test('4.3 – the page lists requests to the service → each has its status', async (t) => {
  const { port } = await serve(t, { metrics: true, healthChecks: true, basePath: '/tools' });
  const rows = rowsOf('Request to the service | Status');
  for (const [request, status] of rows)
    assert.equal((await ask(port, { target: textIn(request!) })).status, Number(textIn(status!)), request);
  assert.ok(rows.length > 10);
});

test('4.3 – the tables of the page → all but the first are tested', () => {
  const heads = [
    'Element | Meaning',
    'Template | Request | Answer',
    'Template | Request | Answer',
    'Invalid template | Message',
    'Template | Request | Answer',
    'Request to the service | Status',
    'Constraint | Takes | Rejects | Accepts',
    'Route | Request | Answer',
    'Routes, in order | Request | Answered by',
    'Route | Current request | Given | Link',
    'Routes, in order | Given | Link of the first that has one',
  ];
  assert.deepEqual(
    tables.map(({ head }) => head),
    heads,
  );
});
