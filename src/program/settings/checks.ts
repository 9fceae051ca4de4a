/**
 * Checks the texts of settings that have a format of their own: a base path, an origin, a folder, an address.
 *
 * Each function takes a text and returns its canonical form, or throws `InvalidValue`: `api/` and `/api` are the base
 * path `/api`, while `/a?b` can never match a request.
 */
import { accessSync, constants, fstatSync, type Stats, statSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { thrownMember } from '../../core/log/thrown-value.ts';
import { isBasePath } from '../../core/message/path.ts';
import { hint } from '../../core/options/assert-options.ts';
import { allowedHost } from '../../core/wire/allowed-hosts.ts';
import { trustedProxies } from '../../core/wire/trusted-proxy.ts';
import { concealed, storePlace } from '../store-place.ts';
import { InvalidValue } from './kinds.ts';

/** What makes a base path wrong, the likeliest first. */
const BASE_PATH_CAUSES: readonly (readonly [wrong: RegExp, cause: string])[] = [
  [/[?#]/, 'it has a query or a fragment; give a path such as /todo'],
  [/[{}]/, 'it has a brace, but it is no route template; give a path such as /todo'],
  [/\/(?:\/|$)/, 'it has an empty segment; put one slash between two segments'],
  [/\/(?:\.|%2e){1,2}(?:\/|$)/i, 'it has a dot segment, which no request path keeps; leave it out'],
  [/^/, 'it has a character that a request path cannot carry; percent-encode it as UTF-8'],
];

/** The path in front of all paths of the service: a leading slash, no trailing one; empty for none (D16). */
export function basePath(text: string): string {
  const path = `/${text}`.replace(/^\/\//, '/').replace(/\/$/, '');
  if (isBasePath(path) && !/[{}]/.test(path)) return path;
  throw new InvalidValue(BASE_PATH_CAUSES.find(([wrong]) => wrong.test(path))![1]);
}

/** An IP address or a host name, without the brackets of a URL. `assertResolvable` resolves names later. */
export function host(text: string): string {
  const bare = /^\[.*\]$/.test(text) ? text.slice(1, -1) : text;
  refuseIf(/^[^:]+:\d+$/.test(bare), 'it carries a port, which is a setting of its own; give the host alone');
  refuseIf(
    !/^[\w.:%-]+$/.test(bare),
    'it is neither an address nor a name; give one such as 127.0.0.1, :: or localhost',
  );
  return bare;
}

/** An existing folder that the process may read and enter, as an absolute path. */
export function folder(text: string): string {
  const path = resolve(text);
  const found = attempt(() => statSync(path), 'there is no such folder; create it or name another');
  refuseIf(!found.isDirectory(), 'it is not a folder; name the folder that the file is in');
  const enter = constants.R_OK | constants.X_OK;
  attempt(() => accessSync(path, enter), 'the folder cannot be read; allow this user to read and enter it');
  return path;
}

/** An origin as browsers send it (RFC 6454 §6.2): `https://app.example`, without the default port of the scheme. */
export function origin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const bare = url && url.href === `${url.origin}/` && /^https?:$/.test(url.protocol);
  if (!bare || text.includes('*'))
    throw new InvalidValue('it is not an exact origin; give one such as https://app.example:8443');
  return url.origin;
}

/** An absolute http or https URL. */
export function webAddress(text: string): string {
  if (/^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text)) return text;
  throw new InvalidValue('it is not an absolute URL; give one such as https://example.org/page');
}

/** A text with the form of a mail address. */
export function mailAddress(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return text;
  throw new InvalidValue('it is not a mail address; give one such as team@example.org');
}

/** A host that is answered: a name or an address, with a port or without. */
export function answeredHost(text: string): string {
  return attempt(
    () => allowedHost(text),
    'it is no name and no address; give one such as api.example, localhost or [::1]:8080',
  );
}

/** A proxy: an address, a range or `loopback`. */
export function proxy(text: string): string {
  attempt(
    () => trustedProxies([text]),
    'it is no address; give one such as ::1, a range such as 10.0.0.0/8, or loopback',
  );
  return text;
}

/** Node opens its own at the start, and so with low numbers. */
const MOST_OF_NODE = 256;

/** The number of an open file descriptor: a file, a pipe, a socket or a character device. */
export function descriptor(text: string): number {
  const cause = `it is no descriptor${hint(text, ['off', 'on'])}; give off, on or the number of one, 1 or more`;
  refuseIf(!/^[1-9]\d{0,5}$/.test(text), cause);
  const found = attempt(() => fstatSync(Number(text)), 'no such descriptor is open; redirect it, as in 3>>access.log');
  const takesLines = found.isFile() || found.isFIFO() || found.isSocket() || found.isCharacterDevice();
  refuseIf(
    !takesLines || isReadAlone(Number(text)) || isPipeOfNode(Number(text), found),
    'the descriptor is nothing that lines can be written to, or one of Node itself; redirect it, as in 3>>access.log',
  );
  return Number(text);
}

function isReadAlone(descriptor: number): boolean {
  try {
    writeSync(descriptor, new Uint8Array());
    return false;
  } catch (error) {
    return thrownMember(error, 'code') === 'EBADF';
  }
}

/** Node reads its own pipes, and ends with SIGSEGV where others write to them. */
function isPipeOfNode(descriptor: number, { dev, ino }: Stats): boolean {
  for (let other = 3; other < MOST_OF_NODE; other++) {
    try {
      const found = fstatSync(other);
      if (other !== descriptor && found.isFIFO() && found.ino === ino && found.dev === dev && isReadAlone(other))
        return true;
    } catch {
      // It is not open.
    }
  }
  return false;
}

/** Where items are kept. */
export function store(text: string): string {
  try {
    return storePlace(text);
  } catch (error) {
    const cause = (error as Error).message;
    throw new InvalidValue(cause, [{ text: concealed(text), cause }]);
  }
}

function refuseIf(isWrong: boolean, cause: string): void {
  if (isWrong) throw new InvalidValue(cause);
}

function attempt<Value>(action: () => Value, cause: string): Value {
  try {
    return action();
  } catch (error) {
    const isDenied = thrownMember(error, 'code') === 'ERR_ACCESS_DENIED';
    throw new InvalidValue(isDenied ? 'Node has no right to read it; start it with --allow-fs-read' : cause);
  }
}
