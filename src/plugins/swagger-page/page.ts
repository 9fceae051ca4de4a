/** `todo-item-service/page`: exports the files of the interactive page, for a bundled program. */
import type { EmbeddedFiles } from '../files/files.ts';
import { vendoredPage } from './vendored-page.ts';

/** Pass this value to the option `vendored` of `swaggerPage`. In the installed package, it contains the files. */
export const page: URL | EmbeddedFiles = vendoredPage();
