/** Logs in and out by the program of `src/guide/login.md`, and forges forms. `login.browser.ts` runs it. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { application, type RunnableApplication, route, serve, text } from '../../src/index.ts';
import { blocksOf, written } from '../house/page-programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { Browser, ELSEWHERE } from './webdriver.ts';

const [program] = blocksOf('src/guide/login.md', 'ts');
/** Returns the application of the page, without the lines that print. */
async function appOf(change: (program: string) => string): Promise<RunnableApplication> {
  const changed = change(program!.text.replace(/^console\.log.*$/gm, ''));
  return (
    await import(written({ ...program!, text: changed }, temporaryFolder({ 'package.json': '{"type":"module"}' })))
  ).app;
}

const overHttps = await serve(await appOf((all) => all), { port: 0 });
/** The same program without `secure`, as the page says. Browsers send no `Sec-Fetch-Site` to it under another name. */
const overHttp = await serve(
  await appOf((all) => all.replaceAll('__Host-sid', 'sid').replaceAll('secure: true, ', '')),
  { port: 0 },
);
const forms = await serve(
  application([
    {
      name: 'forger',
      routes: [
        route({
          path: '{action}/{host}/{port}',
          handle: ({ values: { action, host, port } }) =>
            text(
              `<!doctype html><form method=post action="http://${host}:${port}/${action}">
                <input name=name value=Eve><input name=password value=x><button>Win</button></form>`,
              { headers: { 'Content-Type': 'text/html' } },
            ),
        }),
      ],
    },
  ]),
  { port: 0 },
);
const browser = await Browser.start();
after(async () => {
  await browser.stop();
  for (const { close } of [overHttps, overHttp, forms]) await close();
});

const portOf = ({ url }: { readonly url: string }): string => new URL(url).port;
/** Chromium treats this address as HTTPS: it stores secure cookies for it, and sends `Sec-Fetch-Site`. */
const LOOPBACK = '127.0.0.1';

/** Waits until the page has a text, and returns all text of the page. */
const shown = (expected: string): Promise<string> =>
  browser.waitFor(
    'const { innerText } = document.body; return innerText.includes(arguments[0]) && innerText',
    expected,
  );

async function logIn(home: string, password = 'engine'): Promise<void> {
  await browser.open(home);
  await browser.type('[name=name]', 'Ada <3');
  await browser.type('[name=password]', password);
  await browser.click('button');
}

async function logOut(home: string): Promise<void> {
  await browser.open(home);
  await browser.click('[action="/logout"] button');
  await shown('Log in');
}

for (const { what, host, other, port } of [
  { what: 'over HTTPS', host: LOOPBACK, other: ELSEWHERE, port: portOf(overHttps) },
  { what: 'over HTTP', host: ELSEWHERE, other: LOOPBACK, port: portOf(overHttp) },
]) {
  const home = `http://${host}:${port}/`;

  test(`login – ${what}, with a wrong password → the form again`, async () => {
    await logIn(home, 'motor');
    await shown('Try again');
  });

  test(`login – ${what} → a page with the name as text, which no script can use to read the session`, async () => {
    await logIn(home);
    assert.match(await shown('Hello'), /^Hello, Ada <3$/m);
    assert.equal(await browser.run('return document.cookie'), '');
    await browser.assertClean(home);
    await logOut(home);
  });

  test(`logout – ${what} → the form, and the session is refused`, async () => {
    await logIn(home);
    await shown('Hello');
    await logOut(home);
    const logout = 'return fetch("/logout", { method: "POST" }).then(({ status }) => status)';
    assert.equal(await browser.run(logout), 401);
    await browser.open(home);
    await shown('Log in');
  });

  // Another port is another origin of the same site, for which browsers send the cookie.
  for (const [forger, expected] of [
    [host, '403'],
    // The browser sends no cookie with the form, and follows the redirection to the own page.
    [other, 'Hello'],
  ] as const)
    test(`logout – ${what}, by a form of http://${forger} on another port → refused, and the session goes on`, async () => {
      await logIn(home);
      await shown('Hello');
      await browser.open(`http://${forger}:${portOf(forms)}/logout/${host}/${port}`);
      await browser.click('button');
      await shown(expected);
      await browser.open(home);
      await shown('Hello');
      await logOut(home);
    });
}

test('login – by a form of another site → refused', async () => {
  await browser.open(`http://${ELSEWHERE}:${portOf(forms)}/login/${LOOPBACK}/${portOf(overHttps)}`);
  await browser.click('button');
  await shown('A page of another site sent this request');
});
