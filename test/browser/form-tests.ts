/** Fills in and submits plain HTML forms, which no script reads or changes (D128). `form.browser.ts` runs it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { application, ok, operation, route, serve, text } from '../../src/index.ts';
import { form } from '../../src/operations/uploads/upload.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { textsOf } from '../support/texts-of.ts';
import { Browser } from './webdriver.ts';

const short = { type: 'string', minLength: 2 } as const;
const FIELDS = {
  title: { type: 'string' },
  stars: { type: 'integer', minimum: 1, maximum: 5, default: 3 },
  day: { type: 'string', format: 'date' },
  mail: { type: 'string', format: 'email' },
  kind: { type: 'string', enum: ['film', 'book'] },
  code: { type: 'string', pattern: '^[a-z]+$', maxLength: 9 },
  note: { type: 'string', minLength: 5, maxLength: 5 },
  tags: { type: 'array', items: short },
  done: { type: 'boolean' },
} as const;
const INPUTS = `
  <input name=title> <input name=stars type=number min=1 max=5> <input name=day type=date> <input name=mail type=email>
  <select name=kind><option value="">any</option><option>film</option><option>book</option></select>
  <input name=code pattern="[a-z]+"> <textarea name=note minlength=5 maxlength=5></textarea>
  <input name=tags minlength=2> <input name=tags minlength=2 id=second> <input name=done type=checkbox>`;
const FILES = '<input name=photo type=file> <input name=photos type=file multiple>';

const responses = { 200: { schema: { type: 'object' } } } as const;
const answerOf = (value: object) => ok({ ...value } as Readonly<Record<string, unknown>>);
const box = { done: { type: 'boolean' }, tags: { type: 'array', items: short } } as const;

const operations = [
  operation({ method: 'GET', path: 'query', query: FIELDS, responses, handle: ({ query }) => answerOf(query) }),
  operation({ method: 'POST', path: 'texts', body: form(FIELDS), responses, handle: ({ body }) => answerOf(body) }),
  operation({ method: 'POST', path: 'box', body: form(box), responses, handle: ({ body }) => answerOf(body) }),
  operation({
    method: 'POST',
    path: 'files',
    body: form({
      ...FIELDS,
      photo: { type: 'file' },
      photos: { type: 'array', items: { type: 'file', mediaTypes: ['text/*'], maxBytes: 3 }, maxItems: 3 },
    }),
    responses,
    handle: ({ body: { photo, photos, ...texts } }) =>
      answerOf({ ...texts, photo: photo?.name, photos: photos?.map((file) => file.name) }),
  }),
  operation({
    method: 'POST',
    path: 'required',
    body: form({ stars: { type: 'integer', required: true }, tags: { ...box.tags, required: true } }),
    responses,
    handle: ({ body }) => answerOf(body),
  }),
];

const MULTIPART = 'method=post enctype=multipart/form-data';
/** The ways in which a browser can send a form, each with its inputs. */
const FORMS = {
  query: `<form action=/query>${INPUTS}`,
  urlencoded: `<form action=/texts method=post>${INPUTS}`,
  multipart: `<form action=/texts ${MULTIPART}>${INPUTS}`,
  files: `<form action=/files ${MULTIPART}>${INPUTS}${FILES}`,
  box: '<form action=/box method=post><input name=done type=checkbox>',
  boxAsParts: `<form action=/box ${MULTIPART}><input name=done type=checkbox>`,
  required: '<form action=/required method=post><input name=stars type=number><input name=tags>',
} as const;

const page = route({
  path: 'pages/{name}',
  handle: ({ values }) =>
    text(`<!doctype html><title>Form</title>${FORMS[values.name as keyof typeof FORMS]}<button>Send</button></form>`, {
      headers: { 'Content-Type': 'text/html' },
    }),
});
const { url, close } = await serve(application([{ name: 'forms', routes: [page, ...operations] }]), { port: 0 });
const browser = await Browser.start();
after(async () => {
  await browser.stop();
  await close();
});

/** What a user enters: texts by selector, `true` for a click, and paths of files. */
type Entries = Readonly<Record<string, string | true | readonly string[]>>;

/** Fills in a form, submits it and returns the JSON that the browser then shows. */
async function submitted(name: keyof typeof FORMS, entries: Entries): Promise<any> {
  await browser.open(`${url}/pages/${name}`);
  for (const [selector, entry] of Object.entries(entries)) {
    if (entry === true) await browser.click(selector);
    else if (typeof entry === 'string') await browser.type(selector, entry);
    else await browser.choose(selector, entry.join('\n'));
  }
  await browser.click('button');
  const shown = await browser.waitFor<string>(
    'return document.contentType.endsWith("json") && document.querySelector("pre")?.textContent',
  );
  return JSON.parse(shown);
}

const folder = temporaryFolder({ 'a.txt': 'a', 'b.txt': 'bc', 'c.txt': '', 'long.txt': 'long', 'd.png': 'd' });
const file = (name: string): string => join(folder, name);
/** The texts that a form without entries has. */
const BLANK = { title: '', stars: 3 };
const required = 'This parameter is required';

for (const name of ['query', 'urlencoded', 'multipart', 'files'] as const) {
  test(`D128 – ${name}: nothing is filled in → blank values are absent, except the text that may be empty`, async () => {
    assert.deepEqual(await submitted(name, {}), BLANK);
  });

  test(`D128 – ${name}: all but the day is filled in → the typed values, a ticked box as true, line breaks as sent`, async () => {
    const entries = {
      '[name=title]': 'T',
      '[name=stars]': '5',
      '[name=mail]': 'a@b.example',
      'option:last-child': true,
      '[name=code]': 'abc',
      // The browser cuts the text off at `maxlength`.
      '[name=note]': '1\n2\n345',
      '#second': 'ab',
      '[name=done]': true,
    } as const;
    assert.deepEqual(await submitted(name, entries), {
      title: 'T',
      stars: 5,
      mail: 'a@b.example',
      kind: 'book',
      code: 'abc',
      note: '1\r\n2\r\n3',
      tags: ['ab'],
      done: true,
    });
  });
}

for (const name of ['box', 'boxAsParts'] as const)
  for (const [what, entries, value] of [
    ['without a tick', {}, {}],
    ['with a tick', { input: true }, { done: true }],
  ] as const)
    test(`D128 – ${name}: the only field is a box ${what} → ${JSON.stringify(value)}`, async () => {
      assert.deepEqual(await submitted(name, entries), value);
    });

test('D128 – required fields that are blank → 400 that calls them required', async () => {
  const { status, errors } = await submitted('required', {});
  const faults = ['stars', 'tags'].map((parameter) => ({ parameter, in: 'formData', detail: required }));
  assert.deepEqual([status, textsOf(errors)], [400, faults]);
});

for (const [what, entries, names] of [
  [
    'one file in each input',
    { '[name=photo]': [file('d.png')], '[name=photos]': [file('a.txt')] },
    ['d.png', ['a.txt']],
  ],
  [
    'three files in one input',
    { '[name=photos]': [file('a.txt'), file('b.txt'), file('c.txt')] },
    [undefined, ['a.txt', 'b.txt', 'c.txt']],
  ],
] as const)
  test(`D128 – ${what} → the files in their order`, async () => {
    const { photo, photos, ...texts } = await submitted('files', entries);
    assert.deepEqual([[photo, photos], texts], [names, BLANK]);
  });

for (const [what, names, ...details] of [
  ['four files', ['a.txt', 'b.txt', 'c.txt', 'd.png'], 'Expected 3 or fewer files, not 4'],
  [
    'files that are too large or of another type',
    ['long.txt', 'a.txt', 'd.png'],
    'Value 1: Expected a file of at most 3 bytes, not 4',
    'Value 3: Expected a file of text/*, not "image/png"',
  ],
] as const)
  test(`D128 – ${what} → 400 with each of them`, async () => {
    const { status, errors } = await submitted('files', { '[name=photos]': names.map(file) });
    const faults = details.map((detail) => ({ parameter: 'photos', in: 'formData', detail }));
    assert.deepEqual([status, textsOf(errors)], [400, faults]);
  });
