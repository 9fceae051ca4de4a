/**
 * Serves a static folder as a plugin (§4.2, D36), and checks the folder before the service listens.
 *
 * It stands behind `swaggerPage` in the list of plugins, which answers for the files of the page and adds its policy.
 */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from '../../index.ts';
import { type StaticFilesOptions, staticFiles } from './static-files.ts';

/** Serves a folder of files. `start` rejects when the folder does not exist or cannot be read. */
export function staticSite(options: StaticFilesOptions): Plugin {
  return {
    name: 'static-site',
    stages: [staticFiles(options)],
    async start() {
      const root = options.root instanceof URL ? fileURLToPath(options.root) : options.root;
      const refusal = (cause: string): Error =>
        new Error(`Cannot serve static files from "${root}": ${cause}; name a folder that the service may read`);
      const found = await stat(root).catch(() => undefined);
      if (found === undefined) throw refusal('there is no such folder');
      if (!found.isDirectory()) throw refusal('it is not a folder');
      await access(root, constants.R_OK | constants.X_OK).catch(() => {
        throw refusal('it may not be read');
      });
    },
  };
}
