/** Mistakes in routes are reported together, each with template, offset, cause and remedy (§4.3 rule 1). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { route } from '../../src/routing/route/route.ts';
import type { RouteOptions } from '../../src/routing/route/route-options.ts';
import { RouteCollection } from '../../src/routing/route-collection.ts';
import { TemplateError } from '../../src/routing/template/template-error.ts';

const unanswered = (): never => {
  throw new Error('not asked');
};

/** A template, the offset of its mistake, and words of the cause. */
const MISTAKES: readonly (readonly [template: string, offset: number, says: RegExp, options?: RouteOptions])[] = [
  ['/a', 0, /begins with "\/"/],
  ['~a', 0, /begins with "~"/],
  ['a//b', 2, /two slashes/],
  ['files/{a}{b}', 9, /"a" and "b" touch/],
  ['a/{*b}/c', 7, /follows a catch-all/],
  ['x{*a}', 3, /shares its segment/],
  ['{a}/{A}', 5, /there twice/],
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
  ['{a=1}', 1, /another outside/, { defaults: { A: '2' } }],
  ['a/{b}', 3, /takes 2 arguments, not 1/, { constraints: { b: 'range(1)' } }],
  ['{b}', 1, /neither text nor/, { constraints: { b: 5 as unknown as string } }],
];

for (const [template, offset, says, options] of MISTAKES) {
  test(`4.3 – ${template} → refused at ${offset}`, () => {
    assert.throws(
      () => new RouteCollection().add(route(template as string, unanswered, options)),
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
    );
  });
}

test('4.3 – several mistakes in several routes → all of them, and nothing is added', () => {
  const collection = new RouteCollection().map('GET', 'first', unanswered, { name: 'One' });
  const batch = [
    route('{a}{b}', unanswered),
    route('{x:no}/{y:nor}', unanswered),
    route('second', unanswered, { name: 'ONE' }),
    route('fine', unanswered, { name: 'two' }),
    route('finer', unanswered, { name: 'Two' }),
  ];
  assert.throws(
    () => collection.add(...batch),
    (error: AggregateError) => {
      assert.deepEqual(
        error.errors.map((one: TemplateError) => one.template),
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

test('4.3 – constraints of our own → known by name, inside and outside, in any case', () => {
  const even = {
    takes: [0, 1] as const,
    make: (remainder = '0') => ({
      text: `even(${remainder})`,
      accepts: (value: string | undefined) => Number(value) % 2 === Number(remainder),
    }),
  };
  const collection = new RouteCollection({ constraints: { even } })
    .map('GET', 'in/{x:Even}', unanswered)
    .map('GET', 'out/{x}', unanswered, { constraints: { x: 'EVEN(1)' } });
  assert.ok(
    collection.find('GET', '/in/2') &&
      !collection.find('GET', '/in/3') &&
      collection.find('GET', '/out/3') &&
      !collection.find('GET', '/out/2'),
  );
  assert.throws(
    () => collection.map('GET', '{x:even(1,2)}', unanswered).map('GET', '{x:odd}', unanswered),
    /there is no constraint "odd"; use one of alpha, .*even/,
  );
});

test('4.3 – iterating → the routes in order', () => {
  const collection = new RouteCollection().map('GET', 'a', unanswered).map('*', 'b', unanswered);
  assert.deepEqual(
    [...collection].map((one) => one.template.text),
    ['a', 'b'],
  );
});
