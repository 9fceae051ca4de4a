/** Tests which values a recording hides, by their names (D93). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownHeader, shownJson, shownQuery } from '../../../src/plugins/trace/secrets.ts';

for (const name of ['Authorization', 'proxy-authorization', 'COOKIE', 'Set-Cookie', 'X-Api-Key', 'X-Auth-Token'])
  test(`D93 – the header ${name} → hidden`, () => assert.equal(shownHeader(name, 'private'), '(hidden)'));

const SHOWN: readonly (readonly [show: (text: string) => string, text: string, shown: string])[] = [
  [(value) => shownHeader('X-Other', value), 'private', 'private'],
  [shownQuery, '/api?token=private&page=2', '/api?token=(hidden)&page=2'],
  [shownQuery, '/api?page=2&API_KEY=private', '/api?page=2&API_KEY=(hidden)'],
  [shownQuery, 'api-key=private&apikey=private#end', 'api-key=(hidden)&apikey=(hidden)#end'],
  [shownQuery, '/api?tokens=1&page=2', '/api?tokens=1&page=2'],
  [shownQuery, '/token=1', '/token=1'],
  [shownJson, '{"password":"private","name":"a"}', '{"password":"(hidden)","name":"a"}'],
  [shownJson, '[{"Access_Token" : "pri\\"vate"}]', '[{"Access_Token" : "(hidden)"}]'],
  [shownJson, '{"clientSecret":12,"secret":null}', '{"clientSecret":"(hidden)","secret":"(hidden)"}'],
  [shownJson, '{"token":"a text that is cut', '{"token":"(hidden)"'],
  [shownJson, '{"token":{"secret":["shown"]}}', '{"token":{"secret":["shown"]}}'],
  [shownJson, '{"name":"password: shown","key":"shown"}', '{"name":"password: shown","key":"shown"}'],
];
for (const [show, text, shown] of SHOWN) test(`D93 – ${text} → ${shown}`, () => assert.equal(show(text), shown));
