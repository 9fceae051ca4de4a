/**
 * Reads a recording out of a file: one that this page saved, or that `explain --json` printed. The file may
 * come from a stranger, so all that the page shows of it is checked, how much there is and how deep it nests too.
 */

/** The longest file, in bytes, the most values in it, and how deep they nest: about fifty stages. */
const LONGEST = 4_000_000;
const MOST = 20_000;
const DEEPEST = 100;

const check = (isRight, at, wanted) => {
  if (!isRight) throw new TypeError(`"${at}" is not ${wanted}`);
};
const text = (value, at) => check(typeof value === 'string', at, 'a text');
const number = (value, at) => check(Number.isFinite(value), at, 'a number');
const flag = (value, at) => check(typeof value === 'boolean', at, 'true or false');
/** What a handler gave as a status may be none, and JSON knows no NaN. */
const status = (value, at) => value === null || number(value, at);
const oneOf = (names) => (value, at) => check(names.split('|').includes(value), at, `one of ${names}`);
const listOf = (one) => (value, at) => {
  check(Array.isArray(value), at, 'a list');
  for (const [number, member] of value.entries()) one(member, `${at}[${number}]`);
};
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const objectOf = (required, optional) => (value, at) => {
  check(isObject(value), at, 'an object');
  for (const [name, one] of Object.entries(required)) one(value[name], `${at}.${name}`);
  for (const [name, one] of Object.entries(optional ?? {}))
    if (value[name] !== undefined) one(value[name], `${at}.${name}`);
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
const changes = objectOf({ added: texts, changed: texts, removed: texts, body: flag, text }, { statusBefore: status });
const verdict = oneOf('taken|rejected|untried');
const station = (value, at) =>
  objectOf(
    {
      kind: oneOf('stage|route|body|handler'),
      label: text,
      entered: number,
      began: number,
      calls: listOf(objectOf({ entered: number, changes: texts })),
      stations: listOf(station),
    },
    {
      plugin: text,
      place: text,
      left: number,
      took: number,
      did: oneOf('answered|passed on|ignored|caught|threw|read|returned nothing'),
      waited: flag,
      given: objectOf({ method: text, path: text, basePath: text, query: text, headers: map, slots: texts }),
      routes: listOf(objectOf({ methods: text, template: text, text, proposed: flag, verdict })),
      reply: objectOf({ status, headers: lines, body }),
      changes,
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
    stations: listOf(station),
    complete: flag,
  },
  { status: number, body, replied: number },
);

/** What the file holds, as the service would answer it. Rejects with an `Error` for one that is no recording. */
export async function readRecording(file) {
  try {
    if (file.size > LONGEST) throw new RangeError(`it has more than ${LONGEST} bytes`);
    const value = JSON.parse(await file.text());
    assertBounded(value);
    recording(value?.recording, 'recording');
    return { recording: value.recording };
  } catch (error) {
    throw new Error(`This is no recording that was saved here or printed by explain --json: ${error.message}`);
  }
}

/** Level by level, so a text that nests deeply takes no stack. */
function assertBounded(value) {
  let level = [value];
  let count = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    count += level.length;
    if (depth > DEEPEST) throw new RangeError(`it nests deeper than ${DEEPEST}`);
    if (count > MOST) throw new RangeError(`it has more than ${MOST} values`);
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
}
