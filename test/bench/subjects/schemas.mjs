/**
 * Reading and writing JSON by a schema: ours, and the peers, which make code at run time.
 *
 * All schemas are in one process, as in a service: closures are shared by them, made code is not. What a way gives is
 * compared before anything is timed.
 */

import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import { schemaCases } from '../library/schema-cases.mjs';
import { takeTurns, timed } from './turn.mjs';

const { bodyValidator, schema, serializer } = await import(process.env.BENCH_ENGINE);
const require = createRequire(new URL('../peers/package.json', import.meta.url));
const { default: Ajv } = require('ajv/dist/2020.js');
const { default: addFormats } = require('ajv-formats');
const fastJsonStringify = require('fast-json-stringify');

/** The same schema in the words of the peers: null is a type, and the default of what may be null. */
function standard(one) {
  if (Array.isArray(one)) return one.map(standard);
  if (typeof one !== 'object' || one === null) return one;
  const { 'x-nullable': isNullable, ...rest } = one;
  const made = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, standard(value)]));
  return isNullable ? { default: null, ...made, type: [made.type, 'null'] } : made;
}

function readers({ schema: declared, isWrong = false }) {
  const ours = bodyValidator(declared, 'camelCase');
  const ajv = addFormats(
    new Ajv({ useDefaults: true, discriminator: true, strictTypes: false, allErrors: isWrong }),
  ).compile(standard(declared));
  return {
    'JSON.parse + ajv'(text) {
      const value = JSON.parse(text);
      return ajv(value) ? { value } : { errors: ajv.errors };
    },
    ours: (text) => ours(JSON.parse(text), text),
    'JSON.parse alone': (text) => ({ value: JSON.parse(text) }),
  };
}

/** The bytes are counted as for a Content-Length, which also makes one text of the pieces. */
function writers({ schema: declared }) {
  const ours = serializer(declared, 'camelCase');
  const theirs = fastJsonStringify(standard(declared));
  const counted = (write) => (value) => {
    const text = write(value);
    return { text, bytes: Buffer.byteLength(text) };
  };
  return {
    'fast-json-stringify': counted((value) => theirs(value)),
    ours: counted((value) => ours(value)),
    'JSON.stringify': counted((value) => JSON.stringify(value)),
  };
}

const jobs = {};
for (const [name, one] of Object.entries(schemaCases(schema))) {
  const texts = one.bodies.map((body) => JSON.stringify(body));
  const reading = readers(one);
  for (const text of texts) assertReading(reading, text, one.isWrong);
  jobs[`reading ${name}`] = { ways: reading, inputs: texts };
  if (one.isWrong) continue;
  const values = texts.map((text) => reading.ours(text).value);
  const writing = writers(one);
  for (const value of values) assertWriting(writing, value);
  jobs[`writing ${name}`] = { ways: writing, inputs: values };
}

function assertReading(ways, text, isWrong) {
  const [ours, theirs] = [ways.ours(text), ways['JSON.parse + ajv'](text)];
  if (isWrong ? !(ours.errors?.length > 9 && theirs.errors?.length > 9) : !isDeepStrictEqual(ours, theirs))
    throw new Error(`Read ${text}: ours ${JSON.stringify(ours)}, ajv ${JSON.stringify(theirs)}`);
}

function assertWriting(ways, value) {
  for (const [way, write] of Object.entries(ways))
    if (!isDeepStrictEqual(JSON.parse(write(value).text), value))
      throw new Error(`${way} wrote ${write(value).text} for ${JSON.stringify(value)}`);
}

const kept = new Array(64);
takeTurns(({ job, way, milliseconds }) => {
  const { ways, inputs } = jobs[job];
  const act = ways[way];
  const batch = () => {
    for (let at = 0; at < inputs.length; at++) kept[at & 63] = act(inputs[at]);
    return inputs.length;
  };
  return { nanoseconds: timed(batch, milliseconds) };
});
