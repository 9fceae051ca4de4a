/** Tests *Authorize* on the page for both documents (D71). `authorize.browser.ts` runs it. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { guardedService } from './guarded-service.ts';
import * as shownReply from './reply-shown.ts';
import { Browser } from './webdriver.ts';

const service = await guardedService();
const browser = await Browser.start();
after(async () => {
  await browser.stop();
  await service.stop();
});

const OPERATIONS = ['Open', 'Token', 'Admin', 'HeaderKey', 'QueryKey', 'Any'] as const;
type Operation = (typeof OPERATIONS)[number];
type Scheme = 'Bearer' | 'ApiKey' | 'QueryKey';

const DIALOG = '.dialog-ux';
const blockOf = (operation: Operation): string => `#operations-Guarded-Guarded${operation}Get`;
const isThere = (selector: string): Promise<boolean> =>
  browser.run('return document.querySelector(arguments[0]) !== null', selector);
const untilGone = (selector: string): Promise<boolean> =>
  browser.waitFor('return document.querySelector(arguments[0]) === null', selector);

async function openPage(path: string): Promise<void> {
  await browser.open(`http://127.0.0.1:${service.port}/${path}`);
  await browser.waitFor(`return document.querySelectorAll(".opblock").length === ${OPERATIONS.length}`);
}

/** Checks that the page keeps its policy and loads from no other host. The console may only report 401 and 403. */
async function assertClean(): Promise<void> {
  const refused = / the server responded with a status of 40[13] /;
  await browser.assertClean(`http://127.0.0.1:${service.port}`, refused);
  assert.match(
    await browser.run('return fetch(location.href).then(({ headers }) => headers.get("content-security-policy"))'),
    /default-src 'none'/,
  );
}

/** The parts of a reply that the page shows. */
interface Shown {
  readonly status: string;
  readonly body: unknown;
  /** The whole text, including the headers. */
  readonly text: string;
}

async function execute(operation: Operation): Promise<Shown> {
  const block = blockOf(operation);
  if (!(await isThere(`${block}.is-open`))) await shownReply.tryOut(browser, block);
  // The text of an earlier reply must not count as this reply.
  if (await isThere(`${block} .btn-clear`)) {
    await browser.click(`${block} .btn-clear`);
    await untilGone(`${block} .live-responses-table`);
  }
  const { status, text } = await shownReply.execute(browser, block);
  return { status, text, body: await shownReply.jsonShown(browser, block) };
}

async function assertAnswers(operation: Operation, status: '200' | '401' | '403', identity?: string): Promise<void> {
  const shown = await execute(operation);
  assert.equal(shown.status, status, `${operation}: ${shown.text}`);
  if (identity !== undefined) assert.equal(shown.body, identity);
}

const formsShown = (): Promise<Scheme[]> =>
  browser.run(
    `return Array.from(document.querySelectorAll("${DIALOG} .auth-container h4 code"), (name) => name.innerText)`,
  );

/** Opens *Authorize*, calls a function with the selector of a scheme's form, and closes it. */
async function inAuthorize(scheme: Scheme, act: (form: string) => Promise<void>): Promise<void> {
  await browser.click('.scheme-container .btn.authorize');
  await browser.waitFor('return document.querySelector(arguments[0])', `${DIALOG} .auth-container`);
  const form = `${DIALOG} .auth-container:nth-of-type(${(await formsShown()).indexOf(scheme) + 1})`;
  await act(form);
  await browser.click(`${form} .btn-done`);
  await untilGone(DIALOG);
}

const authorize = (scheme: Scheme, secret: string): Promise<void> =>
  inAuthorize(scheme, async (form) => {
    await browser.type(`${form} input`, secret);
    await browser.click(`${form} [aria-label="Apply credentials"]`);
    await browser.waitFor('return document.querySelector(arguments[0])', `${form} [aria-label="Remove authorization"]`);
  });

const logOut = (scheme: Scheme): Promise<void> =>
  inAuthorize(scheme, async (form) => {
    await browser.click(`${form} [aria-label="Remove authorization"]`);
    await browser.waitFor('return document.querySelector(arguments[0])', `${form} [aria-label="Apply credentials"]`);
  });

/** Returns the operations that show a lock in this state. */
const locked = (state: 'locked' | 'unlocked'): Promise<Operation[]> =>
  browser.run(
    'return arguments[0].filter((_, at) => document.querySelector(arguments[1][at]) !== null)',
    OPERATIONS,
    OPERATIONS.map((operation) => `${blockOf(operation)} [aria-label="authorization button ${state}"]`),
  );

/** The pages, and the text that a user enters for a bearer token in each. */
const PAGES = [
  { document: 'Swagger 2.0', path: 'swagger/ui', written: (token: string) => `Bearer ${token}` },
  { document: 'OpenAPI 3.1', path: 'openapi/ui', written: (token: string) => token },
] as const;

for (const { document, path, written } of PAGES) {
  const WAYS = [
    { what: 'a bearer token', operation: 'Token', scheme: 'Bearer', secret: written('bob-token'), identity: 'Bob' },
    { what: 'a key in a header', operation: 'HeaderKey', scheme: 'ApiKey', secret: 'cy-key', identity: 'Cy' },
    { what: 'a key in the query', operation: 'QueryKey', scheme: 'QueryKey', secret: 'dan&key', identity: 'Dan' },
  ] as const;

  for (const { what, operation, scheme, secret, identity } of WAYS)
    test(`D71 ${document} – Authorize with ${what} → 401 before, 200 with it, 401 after Logout`, async () => {
      await openPage(path);
      const { status, body, text } = await execute(operation);
      assert.equal(status, '401');
      assert.equal((body as { detail: string }).detail, 'This operation needs credentials');
      assert.match(text, scheme === 'Bearer' ? /www-authenticate: Bearer realm/ : /www-authenticate: ApiKey realm/);
      await authorize(scheme, secret);
      await assertAnswers(operation, '200', identity);
      await logOut(scheme);
      await assertAnswers(operation, '401');
      await assertClean();
    });

  test(`D71 ${document} – Authorize with a token without the role, with it, and with an unknown one → 403, 200, 401`, async () => {
    await openPage(path);
    await authorize('Bearer', written('bob-token'));
    await assertAnswers('Admin', '403');
    await logOut('Bearer');
    await authorize('Bearer', written('ann-token'));
    await assertAnswers('Admin', '200', 'Ann');
    await logOut('Bearer');
    await authorize('Bearer', written('no-token'));
    const { status, body, text } = await execute('Admin');
    assert.equal(status, '401');
    assert.equal((body as { detail: string }).detail, 'The credentials are not valid');
    assert.match(text, /error="invalid_token"/);
    await assertClean();
  });

  test(`D71 ${document} – the locks → are closed if the entered credentials apply; a lock asks for the credentials of its operation`, async () => {
    await openPage(path);
    assert.deepEqual(await locked('unlocked'), ['Token', 'Admin', 'HeaderKey', 'QueryKey', 'Any']);
    await authorize('ApiKey', 'cy-key');
    assert.deepEqual(await locked('locked'), ['HeaderKey', 'Any']);
    assert.deepEqual(await locked('unlocked'), ['Token', 'Admin', 'QueryKey']);
    await assertAnswers('Open', '200', 'anyone');
    await assertAnswers('Any', '200', 'Cy');
    await browser.click(`${blockOf('QueryKey')} .authorization__btn`);
    await browser.waitFor('return document.querySelector(arguments[0])', `${DIALOG} .auth-container`);
    assert.deepEqual(await formsShown(), ['QueryKey']);
    await assertClean();
  });
}

test('D71 Swagger 2.0 – the form for a bearer token → explains the prefix Bearer', async () => {
  await openPage('swagger/ui');
  await inAuthorize('Bearer', async (form) => {
    const shown = await browser.run<string>('return document.querySelector(arguments[0]).innerText', form);
    assert.match(shown, /Write the word Bearer, a space and the token: Bearer abc123/);
  });
  await assertClean();
});
