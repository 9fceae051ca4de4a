/** Finds the files of the page: in a folder beside the program, or in the program, where the build has put them. */

import { packageFile } from '../../extending.ts';
import type { EmbeddedFiles } from '../files/files.ts';

/** A name that the build defines, where the files go into the program. */
declare const EMBEDDED_PAGE: EmbeddedFiles | undefined;

/** Not a constant, so that a program bundled without the page can load. There it throws an `Error` with the remedy. */
export const vendoredPage = (): URL | EmbeddedFiles =>
  typeof EMBEDDED_PAGE === 'undefined' ? packageFile('static/swagger-ui') : EMBEDDED_PAGE;
