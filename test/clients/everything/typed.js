/** Which values the types of a generated client have to take, and which they have to refuse. */
import { typesOf } from '../typed-file.js';
import { differencesOf } from './differences.js';

/**
 * `$Texts` is the generated type of that schema; `$Query` and `$Headers` are the parameters of an operation, `$Rows`
 * and those behind it the bodies of answers, `$PictureHeaders` the headers of one.
 */
const ROWS = [
  ["$Texts['kind']", ["'texts'"], ["'other'"]],
  ["$Texts['colour']", ["'green'"], ["'blue'"]],
  ["$Texts['note']", ["'a'", 'null'], ['1']],
  ["$Texts['mood']", ["'bad'", 'null'], ["'so so'"]],
  ['$Texts', ["{ name: 'A', kind: 'texts', colour: 'red' }"], ["{ kind: 'texts', colour: 'red' }"]],
  ["$Numbers['level']", ['3'], ['4']],
  ["$Numbers['version']", ['2'], ['1']],
  ["$Numbers['small']", ['1'], ["'1'"]],
  ["$Numbers['missing']", ['1', 'null'], ["'1'"]],
  ["$Numbers['on']", ['true'], ["'true'"]],
  ["$Lists['pairs']", ['[[1, 2]]'], ["[['1']]"]],
  ["$Lists['anything']", ["[1, 'two', []]"], ['1']],
  ["$Lists['days']", ["['2024-02-29']", 'null'], ['[1]']],
  ["$Lists['counts']", ['{ one: 1 }'], ["{ one: '1' }"]],
  ["$Lists['labels']", ["{ first: 'a', other: 'b' }"], ["{ other: 'b' }", "{ first: 'a', other: 1 }"]],
  ["$Lists['closed']", ['{ one: 1 }'], ['{ two: 2 }']],
  ["$Lists['open']", ['{ one: [2] }'], ["'one'"]],
  ['$Shape', ["{ kind: 'circle', radius: 1 }", "{ kind: 'tile', side: 1 }"]],
  ['$Shape', [], ["{ kind: 'circle', side: 1 }", "{ kind: 'triangle' }"]],
  ['$Length', ['1', "'1 m'"], ['true']],
  ["$Drawing['background']", ['null'], ["'red'"]],
  ['$Painter', ["{ name: 'Paul', style: 'Bauhaus' }"], ["{ name: 'Paul' }", "{ style: 'Bauhaus' }"]],
  ['$Tree', ["{ name: 'a', children: [{ name: 'b', children: [] }] }"], ["{ name: 'a', children: [{}] }"]],
  ["$Chain['next']", ['{ link: 2 }', 'null'], ["'a'", '{}']],
  ["$Tree['byName']", ["{ a: { name: 'a' } }"], ["{ a: 'a' }"]],
  ['$Task', ["{ text: 'a', isDone: true }"], ['{ isDone: true }']],
  ['$Query', ["{ colour: 'red', repeated: ['a'], spaces: [1] }"]],
  ['$Query', [], ["{ repeated: ['a'] }", "{ colour: 'red', level: 4 }", "{ colour: 'red', spaces: ['a'] }"]],
  ['$Headers', ["{ 'X-Colour': 'red', 'X-Numbers': [1] }"], ["{ 'X-Numbers': [1] }"]],
  ['$Rows', ["[{ id: 1, name: 'a', price: 2 }]"], ["[{ name: 1, price: 'a' }]", "'id,name,price'"]],
  ['$RowsAsCsv', ["'id,name,price'"], ['1']],
  ['$Picture', ['new Blob()'], ['1']],
  ['$Events', ["'data: 1'"], ['1']],
  ['$Place', ["{ type: 'Point' }"]],
  ["$PictureHeaders['X-Size']", ['[1, 2]'], ["'1, 2'"]],
  ["$PictureHeaders['X-Colour']", ["'grey'"], ["'red'"]],
  ["$PictureHeaders['Content-Length']", ['3'], ["'3'"]],
  ["NonNullable<$Problem['errors']>[number]['in']", ["'query'"], ["'cookie'"]],
];

const operationOf = (name) => `generated.operations['ApiAnswers${name}Get']`;
const bodyNames = (nameOf) => ({
  Rows: nameOf('Rows', 'application/json'),
  RowsAsCsv: nameOf('Rows', 'text/csv'),
  Picture: nameOf('Picture', 'image/png'),
  Events: nameOf('Events', 'text/event-stream'),
  Place: nameOf('Place', 'application/geo+json'),
});

/** How each generator calls what is no schema. */
const NAMES = {
  'swagger-typescript-api': {
    Query: "Parameters<generated.Api<unknown>['api']['apiParametersQueryGet']>[0]",
    ...bodyNames((name) => `Awaited<ReturnType<generated.Api<unknown>['api']['apiAnswers${name}Get']>>['data']`),
  },
  'openapi-typescript-7': {
    Query: "generated.operations['ApiParametersQueryGet']['parameters']['query']",
    Headers: "generated.operations['ApiParametersHeadersGet']['parameters']['header']",
    ...bodyNames((name, mediaType) => `${operationOf(name)}['responses'][200]['content']['${mediaType}']`),
    PictureHeaders: `${operationOf('Picture')}['responses'][200]['headers']`,
  },
};

export const typedFile = (client, format) => typesOf(client, ROWS, NAMES[client], differencesOf(client, format));
