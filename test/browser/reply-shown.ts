/** Where the page shows the reply to an executed operation. Each script is given the selector of the operation. */

const answered = (script: string): string =>
  `return document.querySelector(arguments[0] + " .live-responses-table")?.${script}`;

export const statusShown = answered('querySelector("tbody .response-col_status")?.textContent');
export const textShown = answered('innerText');

/** The selector of the body. */
export const BODY = '.live-responses-table :is(.highlight-code code, .microlight)';
