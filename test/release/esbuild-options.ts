/** The options of esbuild that the program and the library share. */
import { ROOT } from './build-facts.ts';

/** Not minified: Node shows the line of an uncaught error, which is to be read (D88). */
export const ESBUILD_OPTIONS = { absWorkingDir: ROOT, bundle: true, platform: 'node', target: 'node20' } as const;
