/** The interactive page as a value, for a program that is bundled: `todo-item-service/page`. */
import type { EmbeddedFiles } from '../files/files.ts';
import { vendoredPage } from './vendored-page.ts';

/** For the option `vendored` of `swaggerPage`: in the package, the files themselves. */
export const page: URL | EmbeddedFiles = vendoredPage();
