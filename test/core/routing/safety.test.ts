/**
 * Matching takes about linear time in the length of a segment (D31): four times the text may take eight times as long
 * and a little more, which a quadratic step exceeds.
 */
import { test } from 'node:test';
import { route } from '../../../src/core/routing/route.ts';
import { RouteCollection } from '../../../src/core/routing/route-collection.ts';
import { assertAboutLinear } from '../../support/about-linear.ts';
import { unanswered } from '../../support/unanswered.ts';

const TEMPLATES = [
  '{x:int}',
  '{x:bool}',
  '{x:datetime}',
  '{x:decimal}',
  '{x:double}',
  '{x:float}',
  '{x:guid}',
  '{x:long}',
  '{x:minlength(5)}',
  '{x:maxlength(8)}',
  '{x:length(4,16)}',
  '{x:min(18)}',
  '{x:max(120)}',
  '{x:range(18,120)}',
  '{x:alpha}',
  '{x:regex(list|get|create)}',
  '{x:regex([a-z]+)}',
  '{x:required}',
  '{*x:int}',
  '{a}-{b}',
  '{a}.{b?}',
  '{a}aa{b}',
  '{a}-{b}-{c}-{d}',
  'x{a}y',
  '{a}.{b}.{c?}',
  '{a}--{b}',
  'aaaa{a}aaaa{b}',
];
const FILLS = [
  'a',
  '1',
  ' ',
  '-',
  '.',
  ',',
  '0',
  '1 ',
  '1/'.replace('/', ','),
  '+',
  'aa-',
  '\t',
  '{',
  '0x',
  'Apr ',
  'Mon ',
  '1:',
  '١',
  'ü',
  '\u00a0',
  '\0',
  '%',
];

for (const template of TEMPLATES) {
  test(`D31 – 2 KB and 8 KB against ${template} → about linear`, () => {
    const collection = new RouteCollection().add(route({ method: 'GET', path: template, handle: unanswered }));
    for (const fill of FILLS) {
      for (const end of ['', '!', '-']) {
        assertAboutLinear(JSON.stringify(fill), (times) => {
          const path = `/${encodeURIComponent(fill.repeat((times * 2048) / fill.length) + end)}`;
          return () => collection.find('GET', path);
        });
      }
    }
  });
}

test('D31 – a path of 8,000 segments → about linear', () => {
  const collection = new RouteCollection();
  for (const template of ['{a}/{b}/{c}', 'a/{*rest}', '{a}/b/{*rest:int}', 'a/a/a/a/{x:int}', '{a}/{b}/{c}/{d}/{e?}'])
    collection.add(route({ method: 'GET', path: template, handle: unanswered }));
  assertAboutLinear('segments', (times) => {
    const path = '/a'.repeat(2000 * times);
    return () => collection.find('GET', path);
  });
});
