/**
 * Loaded before a program: when the service has answered a first request, appends the code of its script to the file
 * `CODE_CACHE` and ends. What has run until then is compiled in it; the rest is compiled when it is called. The request
 * comes from the same process, so that one thing follows the other as it did the last time.
 */
import { appendFileSync } from 'node:fs';
import { get, Server } from 'node:http';
import vm from 'node:vm';

let script;
vm.Script = class extends vm.Script {
  constructor(text, options) {
    // No folder goes into the code, which is the same wherever it is made.
    super(text, { ...options, filename: 'program.js' });
    script = this;
  }
};

function keep() {
  try {
    appendFileSync(process.env.CODE_CACHE, script.createCachedData());
    process.exit(0);
  } catch (error) {
    // The service would log it, and go on.
    console.error(error);
    process.exit(1);
  }
}

const { listen } = Server.prototype;
Server.prototype.listen = function (...given) {
  this.once('listening', () => {
    const { port } = this.address();
    get({ port, path: '/api/todo', agent: false }, (answer) => answer.resume()).on('close', () => setImmediate(keep));
  });
  return Reflect.apply(listen, this, given);
};
