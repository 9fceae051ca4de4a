/** Tries out operations of the page and reads the shown reply. `block` is the selector of an operation. */
import type { Browser } from './webdriver.ts';

const answered = (script: string): string =>
  `return document.querySelector(arguments[0] + " .live-responses-table")?.${script}`;
const statusShown = answered('querySelector("tbody .response-col_status")?.textContent');
const textShown = answered('innerText');
const bodyShown = 'return document.querySelector(arguments[0])?.textContent';
const BODY = '.live-responses-table :is(.highlight-code code, .microlight)';

/** Opens an operation to try it out. */
export async function tryOut(browser: Browser, block: string): Promise<void> {
  await browser.click(`${block} .opblock-summary-control`);
  await browser.click(`${block} button.try-out__btn`);
}

/** Executes an open operation. Returns the shown status and the whole text, including the headers. */
export async function execute(browser: Browser, block: string): Promise<{ status: string; text: string }> {
  await browser.click(`${block} button.execute`);
  const status = await browser.waitFor<string>(statusShown, block);
  return { status, text: await browser.run<string>(textShown, block) };
}

/** Returns the JSON of the shown body. */
export const jsonShown = async (browser: Browser, block: string): Promise<unknown> =>
  JSON.parse(await browser.waitFor<string>(bodyShown, `${block} ${BODY}`));
