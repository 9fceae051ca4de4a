/**
 * Loaded before the starter: when the service has answered a first request, writes the code of its script to
 * `CODE_CACHE` and ends. What has run until then is compiled in it; the rest is compiled when it is called. The request
 * comes from the same process, so that one thing follows the other as it did the last time.
 */
import { writeFileSync } from 'node:fs';
import { get, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import vm from 'node:vm';

let script: vm.Script;
vm.Script = class extends vm.Script {
  constructor(...given: ConstructorParameters<typeof vm.Script>) {
    super(...given);
    script = this;
  }
};

const keep = (): void => {
  writeFileSync(process.env['CODE_CACHE']!, script.createCachedData());
  process.exit(0);
};

const { listen } = Server.prototype;
Server.prototype.listen = function (this: Server, ...given: unknown[]) {
  this.once('listening', () => {
    const { port } = this.address() as AddressInfo;
    get({ port, path: '/api/todo', agent: false }, (answer) => answer.resume()).on('close', () => setImmediate(keep));
  });
  return Reflect.apply(listen, this, given) as Server;
};
