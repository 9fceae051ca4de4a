/** Updates the file of the public surface, for `npm run surface`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../house/source-files.ts';
import { publicSurface, SURFACE } from './public-surface.ts';

writeFileSync(join(ROOT, SURFACE), publicSurface());
