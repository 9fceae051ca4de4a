/** The application that lends devices, as a process of its own, and its documents. */
import { printedBy, startProcess } from '../service.js';

const MAIN = 'test/clients/lending/main.ts';

export const NAME = 'lending';

/** Starts it. Ada, whose token is `ada`, is a keeper; Bob, whose token is `bob`, is not. */
export const startLending = () => startProcess(MAIN, [], /(http:\S+)/);

/** The document: `2.0` or `3.1`. */
export const describeLending = (format) => printedBy(MAIN, '--describe', format);
