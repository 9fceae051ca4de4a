/** What the texts of a plain HTML form mean, in a form and in a query (D128). `browser/form-tests.ts` asks a browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ok } from '../../../src/operations/operation/results.ts';
import type { ParameterDeclaration } from '../../../src/operations/parameters/parameter.ts';
import { operation } from '../../../src/operations/routes/operation-routes.ts';
import { checked } from '../../../src/operations/schema/schemas.ts';
import { byMediaType, bytes, form } from '../../../src/operations/uploads/upload.ts';
import { serving } from '../../support/serving.ts';

const responses = { 200: { schema: { type: 'object' } } } as const;
const answerOf = (value: unknown) => ok({ ...(value as object) } as Readonly<Record<string, unknown>>);

interface Answer {
  readonly status: number;
  readonly x?: unknown;
  readonly detail?: string;
  readonly errors?: readonly { readonly detail: string }[];
}

/** Sends `x` with these texts, and reads it as this declaration says. */
type Way = (declared: ParameterDeclaration, texts: readonly string[]) => Promise<Answer>;

const pairs = (texts: readonly string[]) => texts.map((text) => ['x', text] as [string, string]);

function multipart(texts: readonly string[]): FormData {
  const sent = new FormData();
  for (const text of texts) sent.append('x', text);
  return sent;
}

async function answerFrom(declared: object, path: string, init: RequestInit & object): Promise<Answer> {
  const method = (init.method ?? 'GET') as 'GET';
  const handle = ({ query, headers, body }: Record<string, unknown>) => answerOf(body ?? query ?? headers);
  const { request } = serving([operation({ method, path: 'a', ...declared, responses, handle } as never)]);
  const reply = await request(`/a${path}`, init as never);
  return { status: reply.status, ...((await reply.json()) as object) };
}

const WAYS: Readonly<Record<string, Way>> = {
  'a query': (x, texts) => answerFrom({ query: { x } }, `?${new URLSearchParams(pairs(texts))}`, {}),
  'an urlencoded form': (x, texts) =>
    answerFrom({ body: form({ x }) }, '', { method: 'POST', body: new URLSearchParams(pairs(texts)) }),
  'a multipart form': (x, texts) => answerFrom({ body: form({ x }) }, '', { method: 'POST', body: multipart(texts) }),
};

const REQUIRED = 'This parameter is required';
const integer = { type: 'integer' } as const;
const text = { type: 'string' } as const;
const short = { type: 'string', minLength: 2 } as const;
const csv = { type: 'array', items: integer, collectionFormat: 'csv' } as const;
const FILLED = checked(text, (value: string) => (value === '' ? { detail: 'Expected a name' } : undefined));
const UPPER = checked(text, (value: string) => (value[0]!.toUpperCase() === value[0] ? undefined : { detail: 'No' }));

/** The value that the handler gets; undefined if it is absent; or the fault. */
type Outcome = { readonly value: unknown } | { readonly fault: string };
const value = (expected: unknown): Outcome => ({ value: expected });
const absent = value(undefined);
const fault = (detail: string): Outcome => ({ fault: detail });

const rows: readonly (readonly [what: string, ParameterDeclaration, texts: readonly string[], Outcome])[] = [
  ['a blank integer', integer, [''], absent],
  ['a blank integer with a default', { ...integer, default: 3 }, [''], value(3)],
  ['a blank integer with a minimum', { ...integer, minimum: 1 }, [''], absent],
  ['a blank integer and a value', integer, ['', '5'], value(5)],
  ['white space in place of an integer', integer, [' '], fault('Expected an integer, not " "')],
  ['a blank number', { type: 'number' }, [''], absent],
  ['a blank boolean', { type: 'boolean' }, [''], absent],
  ['a blank date', { ...text, format: 'date' }, [''], absent],
  ['a blank date and time', { ...text, format: 'date-time' }, [''], absent],
  ['a blank mail address', { ...text, format: 'email' }, [''], absent],
  ['a blank URI', { ...text, format: 'uri' }, [''], absent],
  ['a blank UUID', { ...text, format: 'uuid' }, [''], absent],
  ['a blank password', { ...text, format: 'password' }, [''], value('')],
  ['a blank choice', { ...text, enum: ['a', 'b'] }, [''], absent],
  ['a blank choice with a default', { ...text, enum: ['a', 'b'], default: 'b' }, [''], value('b')],
  ['a blank that is one of the choices', { ...text, enum: ['', 'a'] }, [''], value('')],
  ['a blank in place of a constant', { ...text, const: 'yes' }, [''], absent],
  ['a blank text', text, [''], value('')],
  ['a blank text with a default', { ...text, default: 'a' }, [''], value('')],
  ['two blank texts', text, ['', ''], fault('Expected one value, not 2')],
  ['a blank text with maxLength', { ...text, maxLength: 5 }, [''], value('')],
  ['a blank text with minLength', short, [''], absent],
  ['a text that is too short', short, ['a'], fault('Expected 2 or more characters, not 1')],
  ['a blank text with a pattern', { ...text, pattern: '^[a-z]+$', maxLength: 5 }, [''], absent],
  ['a blank text that the pattern allows', { ...text, pattern: '^[a-z]*$', maxLength: 5 }, [''], value('')],
  ['a blank text that a check refuses', FILLED, [''], absent],
  ['a text that a check allows', UPPER, ['A'], value('A')],
  ['a required integer that is blank', { ...integer, required: true }, [''], fault(REQUIRED)],
  ['a required choice that is blank', { ...text, enum: ['a'], required: true }, [''], fault(REQUIRED)],
  ['a required text that is blank', { ...text, required: true }, [''], value('')],
  ['a required text with minLength that is blank', { ...short, required: true }, [''], fault(REQUIRED)],
  ['a list of blank texts', { type: 'array' }, ['', ''], value(['', ''])],
  ['a list of blank integers', { type: 'array', items: integer }, ['', ''], absent],
  ['a list of blank integers with a default', { type: 'array', items: integer, default: [1] }, [''], value([1])],
  ['a required list that is blank', { type: 'array', items: integer, required: true }, [''], fault(REQUIRED)],
  ['a list with a blank between integers', { type: 'array', items: integer }, ['1', '', '2'], value([1, 2])],
  [
    'a list with a blank that counts',
    { type: 'array', items: integer, minItems: 2 },
    ['1', ''],
    fault('Expected 2 or more items, not 1'),
  ],
  ['a list of texts with minItems', { type: 'array', minItems: 2 }, ['', 'a'], value(['', 'a'])],
  ['a list of short texts', { type: 'array', items: short }, ['ab', ''], value(['ab'])],
  [
    'a wrong value after a blank',
    { type: 'array', items: short },
    ['', 'a'],
    fault('Value 1: Expected 2 or more characters, not 1'),
  ],
  ['a blank list with commas', csv, [''], value([])],
  ['a blank list with commas and minItems', { ...csv, minItems: 1 }, [''], absent],
  ['a blank between commas', csv, ['1,,2'], fault('Value 2: Expected an integer, not ""')],
  ['a ticked box', { type: 'boolean' }, ['on'], value(true)],
  ['a box in another case', { type: 'boolean' }, ['On'], fault('Expected a boolean, not "On"')],
  ['off', { type: 'boolean' }, ['off'], fault('Expected a boolean, not "off"')],
  ['a text that is on', text, ['on'], value('on')],
  ['an integer that is on', integer, ['on'], fault('Expected an integer, not "on"')],
  ['several boxes of one name', { type: 'array', items: { type: 'boolean' } }, ['on', 'true'], value([true, true])],
  ['a line break of a text field', { ...text, maxLength: 3 }, ['a\r\nb'], value('a\r\nb')],
  ['two of them', { ...text, maxLength: 3 }, ['a\r\n\r\n'], value('a\r\n\r\n')],
  [
    'a text with a line break that is too long',
    { ...text, maxLength: 2 },
    ['a\r\nb'],
    fault('Expected 2 or fewer characters, not 3'),
  ],
  [
    'a text with a line break that is too short',
    { ...text, minLength: 4 },
    ['a\r\nb'],
    fault('Expected 4 or more characters, not 3'),
  ],
  ['a line break, which is not blank', { ...text, minLength: 1 }, ['\r\n'], value('\r\n')],
  [
    'a text of a list with a line break',
    { type: 'array', items: { ...text, maxLength: 3 } },
    ['a\r\nb'],
    value(['a\r\nb']),
  ],
  [
    'a pattern beside a line break',
    { ...text, maxLength: 3, pattern: '^[a\r\n]*$' },
    ['a\r\nb'],
    fault('Expected the pattern ^[a\r\n]*$'),
  ],
];

// `FormData` and `URLSearchParams` of Node send texts as they are; only a browser turns LF into CRLF.
for (const [way, send] of Object.entries(WAYS))
  for (const [what, declared, texts, outcome] of rows)
    test(`D128 – ${way}: ${what} → ${'fault' in outcome ? `400 ${outcome.fault}` : (JSON.stringify(outcome.value) ?? 'absent')}`, async () => {
      const { status, x, errors = [] } = await send(declared, texts);
      if ('value' in outcome) assert.deepEqual([status, x], [200, outcome.value]);
      else assert.deepEqual([status, errors.map(({ detail }) => detail)], [400, [outcome.fault]]);
    });

for (const [what, declared, path, init, detail] of [
  ['a blank header', { headers: { x: integer } }, '', { headers: { x: '' } }, 'Expected an integer, not ""'],
  [
    'a header that is on',
    { headers: { x: { type: 'boolean' } } },
    '',
    { headers: { x: 'on' } },
    'Expected a boolean, not "on"',
  ],
  [
    'a line break in JSON',
    { body: { type: 'object', properties: { x: { ...text, maxLength: 3 } } } },
    '',
    { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"x":"a\\r\\nb"}' },
    'Expected 3 or fewer characters, not 4',
  ],
  [
    'a blank member of JSON',
    { body: { type: 'object', properties: { x: short } } },
    '',
    { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"x":""}' },
    'Expected 2 or more characters, not 0',
  ],
] as const)
  test(`D128 – ${what} comes from no page → 400 ${detail}`, async () => {
    const { status, errors = [] } = await answerFrom(declared, path, init as never);
    assert.deepEqual([status, errors.map((one) => one.detail)], [400, [detail]]);
  });

const URL_ENCODED = 'application/x-www-form-urlencoded';
const BOX = form({ x: { type: 'boolean' } });
const PHOTO = form({ x: { type: 'file' } });
const NEEDED = form({ x: { type: 'boolean', required: true } });
const NO_BODY = 'The request has no body; send one';
const emptyAs = (type: string | undefined): object => ({
  method: 'POST',
  body: '',
  headers: type === undefined ? {} : { 'Content-Type': type },
});

for (const [what, body, type, status, detail] of [
  ['an urlencoded form', BOX, URL_ENCODED, 200],
  ['an urlencoded form with a charset', BOX, `${URL_ENCODED}; charset=UTF-8`, 200],
  [
    'an urlencoded form in another charset',
    BOX,
    `${URL_ENCODED}; charset=latin1`,
    415,
    'The form is in the charset "latin1"; send it in UTF-8',
  ],
  ['an urlencoded form with a required field', NEEDED, URL_ENCODED, 400, REQUIRED],
  ['an urlencoded form, where the form has a file', PHOTO, URL_ENCODED, 400, NO_BODY],
  ['a multipart form', BOX, 'multipart/form-data; boundary=XX', 400, NO_BODY],
  ['a form without a type', BOX, undefined, 400, NO_BODY],
  ['one of several kinds', byMediaType({ 'text/csv': bytes('text/csv'), [URL_ENCODED]: BOX }), URL_ENCODED, 200],
  [
    'another of several kinds',
    byMediaType({ 'text/csv': bytes('text/csv'), [URL_ENCODED]: BOX }),
    'text/csv',
    400,
    NO_BODY,
  ],
  ['several kinds without this one', byMediaType({ 'text/csv': bytes('text/csv') }), URL_ENCODED, 400, NO_BODY],
  ['bytes', bytes(URL_ENCODED), URL_ENCODED, 400, NO_BODY],
] as const)
  test(`D128 – no bytes, as ${what} → ${status}`, async () => {
    const answer = await answerFrom({ body }, '', emptyAs(type) as never);
    assert.equal(answer.status, status);
    assert.equal(answer.errors?.[0]?.detail ?? answer.detail, detail);
  });
