/** The options of esbuild that the program and the library share. */
import { ROOT } from './build-facts.ts';

/** The output is not minified, so that the line that Node shows for an uncaught error is readable (D88). */
export const ESBUILD_OPTIONS = { absWorkingDir: ROOT, bundle: true, platform: 'node', target: 'node20' } as const;
