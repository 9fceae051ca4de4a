/** Registers `compiled-hooks.mjs`. Pass this file to `--import`. */
import module from 'node:module';
import { load } from './compiled-hooks.mjs';

if (module.registerHooks === undefined) module.register('./compiled-hooks.mjs', import.meta.url);
else module.registerHooks({ load });
process.setSourceMapsEnabled(true);
