/** Prints a document of the lending application: `describe.ts v2 swagger`. The validators in `test/clients` read it. */
import { lending } from './application.ts';
import { BADGES } from './started.ts';

const [version, format] = process.argv.slice(2);
const reply = await lending(BADGES).request(`/${version}/swagger/v1/${format}.json`);
console.log(await reply.text());
