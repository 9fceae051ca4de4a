/** The options of esbuild that the program and the library share. */
import { ROOT } from './build-facts.ts';

/** Readable in part: names stay, and no line is much longer than 120 characters. */
export const ESBUILD_OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node20',
  minifyWhitespace: true,
  lineLimit: 120,
} as const;
