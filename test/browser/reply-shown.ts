/** Tries operations of the page out, and reads where it shows the reply. `block` is the selector of an operation. */
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

/** Executes an operation that is open. Returns the status that is shown, and everything, the headers among it. */
export async function execute(browser: Browser, block: string): Promise<{ status: string; text: string }> {
  await browser.click(`${block} button.execute`);
  const status = await browser.waitFor<string>(statusShown, block);
  return { status, text: await browser.run<string>(textShown, block) };
}

/** The JSON that is shown as the body. */
export const jsonShown = async (browser: Browser, block: string): Promise<unknown> =>
  JSON.parse(await browser.waitFor<string>(bodyShown, `${block} ${BODY}`));
