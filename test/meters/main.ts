/** Starts the service on a free port, with a store in the file that is given, and prints its address. */
import { serve } from '../../src/index.ts';
import { meters } from './application.ts';
import { KEYS, TOKENS } from './row.ts';
import { openStore } from './store.ts';

const store = openStore(process.argv[2]);
const { url } = await serve(meters({ tokens: TOKENS, keys: KEYS, store }), { port: 0, signals: ['SIGTERM', 'SIGINT'] });
process.on('exit', () => store.close());
console.log(url);
