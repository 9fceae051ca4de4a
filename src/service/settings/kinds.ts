/**
 * Defines the kinds of values that settings have.
 *
 * A kind never corrects an invalid text: `--port ""` is an error, and does not select the default port (D32). Different
 * notations of a valid value give the same value: both `api/` and `/api` give the base path `/api`.
 */
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isBasePath } from '../../core/http/normal-path.ts';
import { thrownMember, thrownMessage } from '../../core/log/thrown-value.ts';
import { hint } from '../../core/options/did-you-mean.ts';
import { allowedHost } from '../../core/server/allowed-hosts.ts';
import { PROXY_FAULT, trustedProxies } from '../../core/server/trusted-proxy.ts';
import { isInRedis, storePlace } from '../store-place.ts';

/** A kind of value. It defines the notation on a command line, and the valid values. */
export interface Kind<Value> {
  /** The placeholder for the value in the help text: `PORT`, `on|off`. */
  readonly placeholder: string;
  /** The unit and the bounds of the value in the help text: `bytes, 1 to 256 MiB`. */
  readonly unit: string;
  /** Parses a text. Throws `InvalidValue` with the cause and the remedy. */
  parse(text: string): Value;
  /** Returns the text of a default value. Default: `String`. */
  show?(value: Value): string;
}

/** Thrown for an invalid text. The message has the cause and the remedy: `it is empty; give a text`. */
export class InvalidValue extends Error {
  readonly entry: string | undefined;

  constructor(message: string, entry?: string) {
    super(message);
    this.entry = entry;
  }
}

/** Returns the result of `check`. Throws an `InvalidValue` with this cause if the result is false or `check` throws. */
function checked<Value>(cause: string, check: () => Value | false): Value {
  let value: Value | false = false;
  try {
    value = check();
  } catch (error) {
    if (thrownMember(error, 'code') === 'ERR_ACCESS_DENIED')
      throw new InvalidValue('Node has no right to read it; start Node with --allow-fs-read');
  }
  if (value === false) throw new InvalidValue(cause);
  return value;
}

export const KIB = 2 ** 10;
export const MIB = 2 ** 20;
export const GIB = 2 ** 30;
export const HOUR = 3_600_000;

/** A notation of numbers. `form` captures the number and the unit. The keys of `factors` are the first letters of units. */
interface Notation {
  readonly placeholder: string;
  readonly unit: string;
  readonly form: RegExp;
  readonly factors: Readonly<Record<string, number>>;
  /** The cause for a text that does not match `form`. */
  readonly fault: string;
  show(value: number): string;
}

function bounded({ placeholder, unit, form, factors, fault, show }: Notation, min: number, max: number): Kind<number> {
  const bounds = `${show(min)} to ${show(max)}`;
  return {
    placeholder,
    unit: `${unit} ${bounds}`,
    show,
    parse(text) {
      const [, number, factor = ''] = form.exec(text.toLowerCase()) ?? [];
      if (number === undefined) throw new InvalidValue(`${fault}; give ${bounds}`);
      const value = Number(number) * (factors[factor] ?? factors[factor.charAt(0)]!);
      if (value < min || value > max) throw new InvalidValue(`it is out of bounds; give ${bounds}`);
      // Adding 0 converts -0 to 0.
      return Math.round(value) + 0;
    },
  };
}

const WHOLE = { form: /^(-?\d+)$/, factors: { '': 1 }, fault: 'it is not a whole number', show: String };

export const wholeNumber = (min: number, max: number, placeholder: string, unit = 'number'): Kind<number> =>
  bounded({ ...WHOLE, placeholder, unit: `${unit},` }, min, max);

const SIZE: Notation = {
  placeholder: 'SIZE',
  unit: 'bytes, or with k, m, g;',
  form: /^(-?\d+(?:\.\d+(?= ?[kmgt]))?) ?(|b|[kmgt](?:i?b)?)$/,
  factors: { '': 1, b: 1, k: KIB, m: MIB, g: GIB, t: 1024 * GIB },
  fault: 'it is neither a number of bytes nor a size such as 512k',
  show(value) {
    const units = { GiB: GIB, MiB: MIB, KiB: KIB };
    const [unit, size] = Object.entries(units).find(([, size]) => value >= size && value % size === 0) ?? ['B', 1];
    return `${value / size} ${unit}`;
  },
};

/** A size in bytes, with bounds in bytes. `1536`, `1.5k`, `1.5 KB` and `1.5KiB` are equal. `1.5` is invalid. */
export const bytes = (min: number, max: number): Kind<number> => bounded(SIZE, min, max);

const TIME: Notation = {
  placeholder: 'TIME',
  unit: 'seconds, or with ms, s, m, h;',
  form: /^(-?\d+(?:\.\d+)?) ?(|ms|s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?)$/,
  factors: { ms: 1, '': 1000, s: 1000, m: 60_000, h: HOUR },
  fault: 'it is neither a number of seconds nor a time such as 500ms',
  show(value) {
    if (value >= HOUR) return `${value / HOUR} h`;
    return value % 1000 === 0 ? `${value / 1000} s` : `${value} ms`;
  },
};

/** A duration, with bounds, in milliseconds. `15`, `15s`, `15 seconds`, `0.25m` and `15000ms` are equal. */
export const duration = (min: number, max: number): Kind<number> => bounded(TIME, min, max);

/** Makes a kind whose value is one of these words. Case matters. */
export const choice = <const Word extends string>(...words: readonly Word[]): Kind<Word> => ({
  placeholder: words.join('|'),
  unit: 'word',
  parse(text) {
    const word = words.find((candidate) => candidate === text);
    if (word !== undefined) return word;
    throw new InvalidValue(`it is not a known word${hint(text, words)}; give ${words.join(' or ')}`);
  },
});

const ON_OFF = choice('on', 'off');

export const onOff: Kind<boolean> = {
  ...ON_OFF,
  parse: (text) => ON_OFF.parse(text) === 'on',
  show: (value) => (value ? 'on' : 'off'),
};

/** Makes the kind of a text that is not empty. `read` converts the text to the value. */
const text = <Value>(placeholder: string, unit: string, read: (text: string) => Value): Kind<Value> => ({
  placeholder,
  unit,
  parse(text) {
    if (text === '') throw new InvalidValue('it is empty; give a text, or leave the setting out');
    return read(text);
  },
});

/** Makes the kind of a comma-separated list. An empty text and `off` give an empty list. */
const list = (placeholder: string, unit: string, read: (entry: string) => string): Kind<readonly string[]> => ({
  placeholder,
  unit: `${unit}, comma-separated`,
  show: (value) => value.join(',') || 'off',
  parse(text) {
    if (text.trim() === '' || text === 'off') return [];
    return text.split(',').map((part) => {
      const entry = part.trim();
      if (entry === '') throw new InvalidValue('an entry of the list is empty; put one comma between two entries');
      try {
        return read(entry);
      } catch (error) {
        throw new InvalidValue(thrownMessage(error), entry);
      }
    });
  },
});

/** The path prefix of the service. It begins with a slash and does not end with a slash, or it is empty (D16). */
export const basePath: Kind<string> = {
  placeholder: 'PATH',
  unit: 'path',
  show: (value) => value || '/',
  parse(text) {
    const path = `/${text}`.replace(/^\/\//, '/').replace(/\/$/, '');
    if (isBasePath(path) && !/[{}]/.test(path)) return path;
    const without = 'without a query, braces, dot segments and empty segments';
    throw new InvalidValue(`it is not a path; give one such as /todo, percent-encoded and ${without}`);
  },
};

/** The most bytes of `unix:` and the path of a Unix socket on all systems. */
const MAX_SOCKET = 'unix:'.length + 103;

/** An IP address, a host name or a Unix socket. Removes the brackets of an IPv6 address. Does not resolve names. */
export const host = text('HOST', 'address, name or unix:/path', (text) => {
  if (text.startsWith('unix:')) {
    if (/^unix:\/[^\0]*[^/\0]$/.test(text) && Buffer.byteLength(text) <= MAX_SOCKET) return text;
    throw new InvalidValue(
      'its path is not absolute, or has more than 103 bytes; give one such as unix:/run/todo/http.sock',
    );
  }
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  if (/^[^:]+:\d+$/.test(bare))
    throw new InvalidValue('it contains a port, which has a separate setting; give the host alone');
  if (/^[\w.:%-]+$/.test(bare)) return bare;
  throw new InvalidValue('it is neither an address nor a name; give one such as 127.0.0.1, :: or localhost');
});

/** The absolute path of a folder that the process may read and enter. `off` gives undefined; `./off` is a folder. */
export const folder = text('DIR', 'folder, or off', (text) => {
  if (text === 'off') return undefined;
  const path = resolve(text);
  const found = checked('the folder does not exist; create it or name another', () => statSync(path));
  checked('it is not a folder; name the folder that the file is in', () => found.isDirectory());
  const cause = 'the folder cannot be read; allow this user to read and enter it';
  checked(cause, () => accessSync(path, constants.R_OK | constants.X_OK));
  return path;
});

/** A list of origins as browsers send them (RFC 6454 §6.2), such as `https://app.example`. */
export const origins = list('ORIGINS', 'exact origins', (text) =>
  checked('it is not an exact origin; give one such as https://app.example:8443', () => {
    const { href, origin, protocol } = new URL(text);
    return href === `${origin}/` && /^https?:$/.test(protocol) && !text.includes('*') && origin;
  }),
);

export const hosts = list('HOSTS', 'names and addresses', (text) => {
  const cause = 'it is neither a name nor an address; give one such as api.example, localhost or [::1]:8080';
  return checked(cause, () => allowedHost(text));
});

export const proxies = list('ADDRESSES', 'addresses, ranges, loopback or unix', (text) => {
  checked(PROXY_FAULT, () => trustedProxies([text]));
  return text;
});

/** Returns an absolute path. Throws for a URL, because messages show paths, and would show its password (D85). */
function pathOf(text: string): string {
  if (isInRedis(text) || text.includes('://')) throw new InvalidValue('it is a URL; give the path of a file');
  return resolve(text);
}

/** Returns the text of a file, without a byte order mark. Throws an `InvalidValue` if the file cannot be read. */
function fileText(text: string): string {
  const path = pathOf(text);
  const bytes = checked('the file cannot be read; name one that this user may read', () => readFileSync(path));
  return bytes.toString().replace(/^\uFEFF/, '');
}

export const files = list('FILES', 'files', pathOf);

export const file = <Value>(unit: string, read: (content: string) => Value): Kind<Value> => ({
  ...text('FILE', unit, (path) => read(fileText(path))),
  show: () => '',
});

/** The place of the store: `memory`, the absolute path of a file, or a URL of Redis. A file may contain the URL (D108). */
export const store = text(
  'memory|FILE|URL|@FILE',
  'memory, an SQLite file, a URL of Redis, or @ and a file with the URL',
  (text) => {
    if (!text.startsWith('@')) return storePlace(text);
    const url = fileText(text.slice(1)).trim();
    // For a path the message would show text of the file, which may be a password.
    if (isInRedis(url)) return storePlace(url);
    throw new InvalidValue('it has no URL of Redis; write a URL into it, such as redis://user:password@host:6379');
  },
);
