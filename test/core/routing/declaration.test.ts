/**
 * All mistakes in routes are reported together, each with the template, the offset, the cause and the remedy (§4.3 rule
 * 1).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { route } from '../../../src/core/routing/route.ts';
import { RouteCollection } from '../../../src/core/routing/route-collection.ts';
import { TemplateError } from '../../../src/core/routing/template.ts';
import { unanswered, unansweredRoute } from '../../support/unanswered.ts';

/** A template, the offset of its mistake, and words of the cause. */
for (const [template, offset, says, options] of [
  ['/a', 0, /begins with "\/"/],
  ['~a', 0, /begins with "~"/],
  ['a//b', 2, /two slashes/],
  ['files/{a}{b}', 9, /"a" and "b" touch/],
  ['a/{*b}/c', 7, /follows a catch-all/],
  ['x{*a}', 3, /shares its segment/],
  ['{a}/{A}', 5, /appears twice/],
  ['{a', 0, /no end/],
  ['a}b', 1, /no opening/],
  ['{a{b}', 2, /not escaped/],
  ['a?b', 1, /"\?"/],
  ['{}', 1, /no name/],
  ['{a?}-{b}', 1, /not the last part/],
  ['{a}-{b?}', 5, /period/],
  ['{*a?}', 0, /optional/],
  ['{a=1?}', 0, /has a default/],
  ['{a*}', 1, /holds a "\*"/],
  ['{a:nope}', 3, /no constraint "nope"/],
  ['x/{a:int:range(5,1)}', 9, /5 is more than 1/],
  ['{a:length(-1)}', 3, /not a length/],
  ['{a:int(5)}', 3, /takes 0 arguments, not 1/],
  ['{a:min(x)}', 3, /not a whole number/],
  ['{a:regex([)}', 3, /regular expression/],
  ['{a{{:nope}', 6, /no constraint "nope"|holds a/],
  ['{a=1}', 1, /another in the options/, { defaults: { A: '2' } }],
  ['a/{b}', 3, /takes 2 arguments, not 1/, { constraints: { b: 'range(1)' } }],
  ['{b}', 1, /not a text, an expression/, { constraints: { b: 5 as unknown as string } }],
] as const)
  test(`4.3 – ${template} → a mistake at offset ${offset}`, () =>
    assert.throws(
      () => new RouteCollection().add(unansweredRoute(template, options)),
      (error: unknown) => {
        assert.ok(error instanceof AggregateError);
        const [mistake] = error.errors as TemplateError[];
        assert.ok(mistake instanceof TemplateError && mistake instanceof SyntaxError);
        assert.equal(mistake.template, template);
        assert.match(mistake.problem, says);
        if (!template.includes('{{')) assert.equal(mistake.offset, offset);
        assert.ok(mistake.remedy.length > 5);
        assert.equal(mistake.message.split('\n').at(-1), `  ${' '.repeat(mistake.offset)}^`);
        return true;
      },
    ));

test('4.3 – several mistakes in several routes → all are reported, and no route is added', () => {
  const collection = new RouteCollection().add(unansweredRoute('first', { name: 'One' }));
  const batch = [
    unansweredRoute('{a}{b}'),
    unansweredRoute('{x:no}/{y:nor}'),
    unansweredRoute('second', { name: 'ONE' }),
    unansweredRoute('fine', { name: 'two' }),
    unansweredRoute('finer', { name: 'Two' }),
  ];
  assert.throws(
    () => collection.add(...batch),
    (error: AggregateError) => {
      assert.deepEqual(
        error.errors.map((mistake: TemplateError) => mistake.template),
        ['{a}{b}', '{x:no}/{y:nor}', '{x:no}/{y:nor}', 'second', 'finer'],
      );
      return true;
    },
  );
  assert.equal([...collection].length, 1);
  assert.equal(collection.find('GET', '/fine'), undefined);
  collection.add(batch[3]!);
  assert.equal([...collection].length, 2);
});

test('4.3 – custom constraints → known by name, in the template and in the options, ignoring case', () => {
  const even = {
    takes: [0, 1] as const,
    make: (remainder = '0') => ({
      text: `even(${remainder})`,
      accepts: (value: string | undefined) => Number(value) % 2 === Number(remainder),
    }),
  };
  const collection = new RouteCollection({ constraints: { even } }).add(
    unansweredRoute('in/{x:Even}'),
    unansweredRoute('out/{x}', { constraints: { x: 'EVEN(1)' } }),
  );
  assert.ok(
    collection.find('GET', '/in/2') &&
      !collection.find('GET', '/in/3') &&
      collection.find('GET', '/out/3') &&
      !collection.find('GET', '/out/2'),
  );
  assert.throws(
    () => collection.add(unansweredRoute('{x:even(1,2)}'), unansweredRoute('{x:odd}')),
    /there is no constraint "odd"; use one of alpha, .*even/,
  );
});

for (const [template, meant] of [
  ['{a:lenght(3)}', 'length'],
  ['{a:uuid}', 'guid'],
  ['{a:date-time}', 'datetime'],
  ['{a:int:Alhpa}', 'alpha'],
] as const)
  test(`4.3 – the constraint of ${template} → the remedy suggests ${meant}`, () =>
    assert.throws(
      () => new RouteCollection().add(unansweredRoute(template)),
      new RegExp(`there is no constraint "[^"]+"; did you mean "${meant}"\\? Use one of alpha, `),
    ));

const even = (value: string): boolean => /[02468]$/.test(value);

for (const [path, constraints, way] of [
  ['{n:EVEN}', undefined, 'in the template'],
  ['{n}', { N: 'Even' }, 'by its name in the options'],
  ['{n}', { n: even }, 'as a function in the options'],
] as const)
  test(`D67 – a predicate as a constraint, ${way} → called with the value of a path and of a link`, () => {
    const collection = new RouteCollection({ constraints: { even } }).add(
      route({ path: path as string, name: 'n', ...(constraints && { constraints }), handle: unanswered }),
    );
    assert.equal(collection.find('GET', '/4')?.values['n'], '4');
    assert.equal(collection.find('GET', '/5'), undefined);
    assert.equal(collection.link({ n: 4 })?.path, '/4');
    assert.equal(collection.link({ n: 5 }), undefined);
    const [trial] = collection.explain('GET', '/5');
    assert.equal(trial?.accepted ? '' : trial?.reason, '{n:even} rejects "5"');
  });

test('D67 – a predicate without a name → the reason calls it predicate', () => {
  const collection = new RouteCollection().add(
    unansweredRoute('{n}', { constraints: { n: (value) => value === '1' } }),
  );
  const [trial] = collection.explain('GET', '/2');
  assert.equal(trial?.accepted ? '' : trial?.reason, '{n:predicate} rejects "2"');
});

test('D67 – a predicate and a missing value → not called: an optional parameter is accepted, a missing value is rejected', () => {
  const asked: string[] = [];
  const recording = (value: string): boolean => asked.push(value) > 0;
  const collection = new RouteCollection({ constraints: { recording } }).add(
    unansweredRoute('a/{n:recording?}'),
    unansweredRoute('b', { constraints: { n: recording } }),
    unansweredRoute('c', { defaults: { n: null }, constraints: { n: 'recording' } }),
  );
  assert.ok(collection.find('GET', '/a'));
  assert.equal(collection.find('GET', '/b'), undefined);
  assert.equal(collection.find('GET', '/c'), undefined);
  assert.deepEqual(asked, []);
  assert.ok(collection.find('GET', '/a/x'));
  assert.deepEqual(asked, ['x']);
});

test('D67 – a predicate with arguments → a mistake, as for a built-in constraint without arguments', () => {
  const collection = new RouteCollection({ constraints: { even } });
  for (const name of ['even', 'int'])
    assert.throws(
      () => collection.add(route({ path: `{n:${name}(3)}` as string, handle: unanswered })),
      new RegExp(`the constraint "${name}" takes 0 arguments, not 1`),
    );
});

const declare = route as unknown as (...declared: readonly unknown[]) => unknown;
const handle = unanswered;

/** Declarations of JavaScript that a compiler would reject, the name of the route, and the fault. */
for (const [declared, name, fault] of [
  [['x', handle], '"x"', /^it is "x"; give an object of path, .*handle/],
  [[], 'undefined', /^it is undefined; give an object of path, .*handle/],
  [[{ path: 'x' }], '"x"', /^it has no "handle"; give a function$/],
  [[{ path: 'x', handle: 'y' }], '"x"', /^its "handle" is "y"; give a function$/],
  [[{ handle }], 'an object', /^it has no "path"; give a text$/],
  [[{ path: 5, handle }], '5', /^its "path" is 5; give a text$/],
  [[{ methods: 'GET', path: 'x', handle }], '"x"', /^it has the unknown member "methods"; did you mean "method"\?/],
  [[{ security: [], path: 'x', handle }], '"x"', /^it has the unknown member "security"; use one of .*stages/],
  [[{ public: 'no', path: 'x', handle }], '"x"', /^its "public" is "no"; give true or false$/],
  [
    [{ public: true, path: 'x', dataTokens: { security: [1] }, handle }],
    '"x"',
    /^it is public and has security in its data tokens; leave one of them out$/,
  ],
  [[{ method: [5], path: 'x', handle }], '"x"', /^its "method" is a list; give "GET", or a list of methods/],
] as const)
  test(`D67 – the route ${name}, declared with ${JSON.stringify(declared)} → a TypeError: ${fault.source}`, () =>
    assert.throws(
      () => declare(...declared),
      (error: Error) => {
        const start = `Cannot make the route ${name}: `;
        assert.ok(error instanceof TypeError && error.message.startsWith(start), error.message);
        assert.match(error.message.slice(start.length), fault);
        return true;
      },
    ));

for (const [what, value, message] of [
  ['a bare declaration', { path: 'a', handle: unanswered }, 'Cannot add "a": it is not a route'],
  ['a text', 'a', 'Cannot add "a": it is not a route'],
  ['nothing', undefined, 'Cannot add undefined: it is not a route'],
] as const)
  test(`D67 – adding ${what} → a TypeError with the remedy, and no route is added`, () => {
    const routes = new RouteCollection();
    const remedy = `${message}; make one with route({ path, handle })`;
    assert.throws(() => routes.add(unansweredRoute('b'), value as never), { name: 'TypeError', message: remedy });
    assert.deepEqual([...routes], []);
  });
