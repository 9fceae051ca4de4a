/**
 * Reads a recording from a file that this page saved or that `explain --json` printed. The file may come from an unknown
 * person, so every value that the page shows is checked, and so are the number of values and the nesting depth.
 */

/** The maximum size of a file in bytes. */
const MAX_BYTES = 4_000_000;
const MAX_VALUES = 20_000;
/** The maximum nesting depth of values, which allows about fifty nested stages. */
const MAX_DEPTH = 100;

const check = (isValid, at, expected) => {
  if (!isValid) throw new TypeError(`"${at}" is not ${expected}`);
};
const text = (value, at) => check(typeof value === 'string', at, 'a text');
const number = (value, at) => check(Number.isFinite(value), at, 'a number');
const flag = (value, at) => check(typeof value === 'boolean', at, 'true or false');
/** A handler may return an invalid status. JSON writes `null` for NaN. */
const status = (value, at) => value === null || number(value, at);
const oneOf = (names) => (value, at) => check(names.split('|').includes(value), at, `one of ${names}`);
const listOf = (checkItem) => (value, at) => {
  check(Array.isArray(value), at, 'a list');
  for (const [number, item] of value.entries()) checkItem(item, `${at}[${number}]`);
};
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const objectOf = (required, optional) => (value, at) => {
  check(isObject(value), at, 'an object');
  for (const [name, checkMember] of Object.entries(required)) checkMember(value[name], `${at}.${name}`);
  for (const [name, checkMember] of Object.entries(optional ?? {}))
    if (value[name] !== undefined) checkMember(value[name], `${at}.${name}`);
};

const texts = listOf(text);
const lines = listOf((value, at) => {
  texts(value, at);
  check(value.length === 2, at, 'a name and a value');
});
const map = (value, at) => {
  check(isObject(value), at, 'an object');
  texts(Object.values(value), at);
};
const body = objectOf({ kind: oneOf('none|text|bytes|stream') }, { bytes: number, text, isCut: flag });
const DEEDS = 'answered|passed on|caught it, answered|threw|passed the error on|returned nothing|accepted|refused';
const verdict = oneOf('taken|rejected|untried');
const station = (value, at) =>
  objectOf(
    {
      kind: oneOf('stage|route|input|handler|reply'),
      label: text,
      entered: number,
      calls: listOf(objectOf({ at: number, changes: texts })),
      stations: listOf(station),
    },
    {
      plugin: text,
      left: number,
      did: oneOf(DEEDS),
      waited: flag,
      given: objectOf({ method: text, path: text, basePath: text, query: text, headers: map, slots: texts }),
      routes: listOf(objectOf({ methods: text, template: text, text, proposed: flag, verdict })),
      reply: objectOf({ status, headers: lines, body }),
      changes: texts,
      error: text,
      refused: text,
    },
  )(value, at);
const recording = objectOf(
  {
    method: text,
    target: text,
    httpVersion: text,
    requestId: text,
    at: text,
    took: number,
    headers: lines,
    body,
    stations: listOf(station),
    complete: flag,
  },
  { status: number },
);

/** Returns the content of the file in the format of the service. Rejects with an `Error` for an invalid recording. */
export async function readRecording(file) {
  try {
    if (file.size > MAX_BYTES) throw new RangeError(`it has more than ${MAX_BYTES} bytes`);
    const value = JSON.parse(await file.text());
    assertBounded(value);
    recording(value?.recording, 'recording');
    return { recording: value.recording };
  } catch (error) {
    throw new Error(`This file is not a recording saved here or printed by explain --json: ${error.message}`);
  }
}

/** Checks level by level, without recursion, so that deep nesting cannot overflow the stack. */
function assertBounded(value) {
  let level = [value];
  let count = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    count += level.length;
    if (depth > MAX_DEPTH) throw new RangeError(`it has more than ${MAX_DEPTH} nested levels`);
    if (count > MAX_VALUES) throw new RangeError(`it has more than ${MAX_VALUES} values`);
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
}
