/**
 * Defines the kinds of values that settings have: first the general kinds, then the kinds of this service.
 *
 * A kind never corrects an invalid text: `--port ""` is an error, and does not select the default port (D32). Different
 * notations of a valid value give the same value: both `api/` and `/api` give the base path `/api`.
 */
import { accessSync, constants, fstatSync, readFileSync, type Stats, statSync, writeSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { attempt, thrownMember, thrownMessage } from '../../core/log/thrown-value.ts';
import { isBasePath } from '../../core/message/normal-path.ts';
import { hint } from '../../core/options/did-you-mean.ts';
import { allowedHost } from '../../core/wire/allowed-hosts.ts';
import { PROXY_FAULT, trustedProxies } from '../../core/wire/trusted-proxy.ts';
import { isInRedis, placeText, storePlace } from '../store-place.ts';

/** A kind of value. It defines the notation on a command line, and the valid values. */
export interface Kind<Value> {
  /** The placeholder for the value in the help text: `PORT`, `on|off`. */
  readonly placeholder: string;
  /** The unit and the bounds of the value in the help text: `bytes, 1 to 256 MiB`. */
  readonly unit: string;
  /** If true, the flag may be repeated. `parse` then gets all texts, joined by commas. */
  readonly repeatable?: boolean;
  /** The types that a JSON file may use instead of a string. The elements of an `array` are strings. */
  readonly json?: readonly ('number' | 'boolean' | 'array')[];
  /** Parses a text. Throws `InvalidValue` with the cause and the remedy. */
  parse(text: string): Value;
  /** Returns the text of a value as `parse` reads it, without secrets. Default: `String`. */
  show?(value: Value): string;
}

/** Thrown for an invalid text. The message has the cause and the remedy: `it is empty; give a text`. */
export class InvalidValue extends Error {
  /** The invalid entries, if the text is a list. */
  readonly parts: readonly { readonly text: string; readonly cause: string }[] | undefined;

  constructor(message: string, parts?: InvalidValue['parts']) {
    super(message);
    this.parts = parts;
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

/**
 * Makes the kind of a number with a unit. `form` captures the number and the unit. The keys of `factors` are units, or
 * the first letters of units.
 */
const measured =
  (
    placeholder: string,
    unit: string,
    form: RegExp,
    factors: Readonly<Record<string, number>>,
    show: (value: number) => string,
    error?: string,
  ) =>
  (min: number, max: number): Kind<number> => {
    const bounds = `${show(min)} to ${show(max)}`;
    return {
      placeholder,
      unit: `${unit} ${bounds}`,
      json: ['number'],
      show,
      parse(text) {
        const [, number, factor = ''] = form.exec(text) ?? [];
        if (number === undefined) throw new InvalidValue(error ?? `it is not a whole number; give ${bounds}`);
        const name = factor.toLowerCase();
        const value = Number(number) * (factors[name] ?? factors[name.charAt(0)]!);
        if (value < min || value > max) throw new InvalidValue(`it is out of bounds; give ${bounds}`);
        // Adding 0 converts -0 to 0.
        return Math.round(value) + 0;
      },
    };
  };

export const wholeNumber = (min: number, max: number, placeholder: string, unit = 'number'): Kind<number> =>
  measured(placeholder, `${unit},`, /^(-?\d+)$/, { '': 1 }, String)(min, max);

const items = wholeNumber(0, 1e9, 'COUNT', 'items');

/** A maximum number of items. The text `0` gives `Infinity`. */
export const itemLimit: Kind<number> = {
  ...items,
  unit: `${items.unit}; 0 for no limit`,
  parse: (text) => items.parse(text) || Infinity,
  show: (value) => String(value === Infinity ? 0 : value),
};

function sizeText(value: number): string {
  const units = { GiB: GIB, MiB: MIB, KiB: KIB };
  const [unit, size] = Object.entries(units).find(([, size]) => value >= size && value % size === 0) ?? ['B', 1];
  return `${value / size} ${unit}`;
}

/** A size in bytes, with bounds in bytes. `1536`, `1.5k`, `1.5 KB` and `1.5KiB` are equal. `1.5` is invalid. */
export const bytes = measured(
  'SIZE',
  'bytes, or with k, m, g;',
  /^(-?\d+(?:\.\d+(?= ?[kmgt]))?) ?(|b|[kmgt](?:i?b)?)$/i,
  { '': 1, b: 1, k: KIB, m: MIB, g: GIB, t: 1024 * GIB },
  sizeText,
  'it is not a size; give bytes, or a size such as 512k or 1MiB',
);

function timeText(value: number): string {
  if (value >= HOUR) return `${value / HOUR} h`;
  return value % 1000 === 0 ? `${value / 1000} s` : `${value} ms`;
}

/** A duration, with bounds, in milliseconds. `15`, `15s`, `15 seconds`, `0.25m` and `15000ms` are equal. */
export const duration = measured(
  'TIME',
  'seconds, or with ms, s, m, h;',
  /^(-?\d+(?:\.\d+)?) ?(|ms|s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?)$/i,
  { ms: 1, '': 1000, s: 1000, m: 60_000, h: HOUR },
  timeText,
  'it is not a time; give seconds, or a time such as 500ms or 1m',
);

/** Makes a kind whose value is one of these words. Case matters. */
export const choice = <const Word extends string>(...words: readonly Word[]): Kind<Word> => ({
  placeholder: words.join('|'),
  unit: 'word',
  json: words.some((word) => word === 'on') ? ['boolean'] : [],
  parse(text) {
    const word = words.find((candidate) => candidate === text);
    if (word !== undefined) return word;
    throw new InvalidValue(`it is not a known word${hint(text, words)}; give ${words.join(' or ')}`);
  },
});

const ON_OFF = choice('on', 'off');

/** `on` or `off`; the value is a boolean. */
export const onOff: Kind<boolean> = {
  ...ON_OFF,
  parse: (text) => ON_OFF.parse(text) === 'on',
  show: (value) => (value ? 'on' : 'off'),
};

/** `on` or `off`; the value is a boolean. `on` is invalid if this system cannot share a port between processes. */
export const reusePort: Kind<boolean> = {
  ...onOff,
  parse(text) {
    const isOn = onOff.parse(text);
    const { platform, versions } = process;
    const [major = 0, minor = 0] = versions.node.split('.').map(Number);
    if (!isOn || (platform === 'linux' && (major > 22 || (major === 22 && minor >= 12)))) return isOn;
    const remedy = 'run Node 22.12 or newer on Linux, or leave the setting out';
    throw new InvalidValue(`Node ${versions.node} on ${platform} cannot share a port; ${remedy}`);
  },
};

/** Makes the kind of a text that is not empty. `read` converts the text to the value. */
export const text = <Value>(placeholder: string, unit: string, read: (text: string) => Value): Kind<Value> => ({
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
  unit,
  json: ['array'],
  show: (value) => value.join(',') || 'off',
  parse(text) {
    if (text.trim() === '' || text === 'off') return [];
    const entries = text.split(',').map((entry) => entry.trim());
    if (entries.includes(''))
      throw new InvalidValue('an entry of the list is empty; put one comma between two entries');
    const invalid: { text: string; cause: string }[] = [];
    const values = entries.map((text) => {
      try {
        return read(text);
      } catch (error) {
        invalid.push({ text, cause: thrownMessage(error) });
        return text;
      }
    });
    if (invalid.length > 0) throw new InvalidValue('entries are invalid', invalid);
    return values;
  },
});

/** The causes of an invalid base path. The cause with the first matching expression is used. */
const BASE_PATH_CAUSES: readonly (readonly [wrong: RegExp, cause: string])[] = [
  [/[?#]/, 'it has a query or a fragment; give a path such as /todo'],
  [/[{}]/, 'it has a brace, but it is not a route template; give a path such as /todo'],
  [/\/(?:\/|$)/, 'it has an empty segment; put one slash between two segments'],
  [/\/(?:\.|%2e){1,2}(?:\/|$)/i, 'it has a dot segment, which request paths cannot have; leave it out'],
  [/^/, 'it has a character that a request path cannot contain; percent-encode it as UTF-8'],
];

/** The path prefix of the service. It begins with a slash and does not end with a slash, or it is empty (D16). */
export const basePath: Kind<string> = {
  placeholder: 'PATH',
  unit: 'path',
  show: (value) => value || '/',
  parse(text) {
    const path = `/${text}`.replace(/^\/\//, '/').replace(/\/$/, '');
    if (isBasePath(path) && !/[{}]/.test(path)) return path;
    throw new InvalidValue(BASE_PATH_CAUSES.find(([wrong]) => wrong.test(path))![1]);
  },
};

/** The most bytes of the path of a Unix socket on all systems, without the zero byte at its end. */
const MAX_SOCKET_PATH = 103;

/** An IP address, a host name or a Unix socket. Removes the brackets of an IPv6 address. Does not resolve names. */
export const host = text('HOST', 'address, name or unix:/path', (text) => {
  if (text.startsWith('unix:')) {
    if (!/^unix:\/[^\0]*[^/\0]$/.test(text))
      throw new InvalidValue('its path is not absolute; give one such as unix:/run/todo/http.sock');
    const length = Buffer.byteLength(text) - 'unix:'.length;
    if (length <= MAX_SOCKET_PATH) return text;
    throw new InvalidValue(`its path has ${length} bytes, more than ${MAX_SOCKET_PATH}; give a shorter path`);
  }
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  if (/^[^:]+:\d+$/.test(bare))
    throw new InvalidValue('it contains a port, which has a separate setting; give the host alone');
  const cause = 'it is neither an address nor a name; give one such as 127.0.0.1, :: or localhost';
  return checked(cause, () => /^[\w.:%-]+$/.test(bare) && bare);
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

/**
 * A list of origins as browsers send them (RFC 6454 §6.2): `https://app.example`, without the default port of the
 * scheme.
 */
export const origins = list('ORIGINS', 'exact origins, comma-separated', (text) =>
  checked('it is not an exact origin; give one such as https://app.example:8443', () => {
    const { href, origin, protocol } = new URL(text);
    return href === `${origin}/` && /^https?:$/.test(protocol) && !text.includes('*') && origin;
  }),
);

export const webAddress = text('URL', 'URL', (text) => {
  const cause = 'it is not an absolute URL; give one such as https://example.org/page';
  return checked(cause, () => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text) && text);
});

export const mailAddress = text('ADDRESS', 'mail address', (text) => {
  const cause = 'it is not a mail address; give one such as team@example.org';
  return checked(cause, () => /^[^\s@]+@[^\s@]+$/.test(text) && text);
});

export const hosts = list('HOSTS', 'names and addresses, comma-separated', (text) => {
  const cause = 'it is neither a name nor an address; give one such as api.example, localhost or [::1]:8080';
  return checked(cause, () => allowedHost(text));
});

export const proxies = list('ADDRESSES', 'addresses, ranges, loopback or unix, comma-separated', (text) => {
  checked(PROXY_FAULT, () => trustedProxies([text]));
  return text;
});

/** The place of the store: `memory`, the absolute path of a file, or a URL of Redis. */
export const store: Kind<string> = {
  ...text(
    'memory|FILE|URL',
    'memory, an SQLite file, or a URL of redis://, redis-cluster:// or redis-sentinel://',
    storePlace,
  ),
  show(place) {
    if (isInRedis(place)) return placeText(place).slice(1, -1);
    // `parse` rejects an `@`, but the name of the working directory may contain an `@`.
    return place.includes('@') ? `./${relative('', place)}` : place;
  },
};

/** Returns an absolute path. Throws for a URL, because messages show paths, and would show its password (D85). */
function pathOf(text: string): string {
  if (isInRedis(text) || text.includes('://')) throw new InvalidValue('it is a URL; give the path of a file');
  return resolve(text);
}

/** Makes the kind of the absolute path of a file. */
export const file = (unit: string): Kind<string> => text('FILE', unit, pathOf);

/** Returns the text of a file, without a byte order mark. Throws an `InvalidValue` if the file cannot be read. */
export function fileText(path: string): string {
  const bytes = checked('the file cannot be read; name one that this user may read', () => readFileSync(path));
  return bytes.toString().replace(/^\uFEFF/, '');
}

export const files: Kind<readonly string[]> = {
  ...list('FILE', 'file; may be given several times', pathOf),
  repeatable: true,
};

/** The number of an open file descriptor of a file, pipe, socket or character device. `on` gives 1, `off` undefined. */
export const descriptor: Kind<number | undefined> = {
  placeholder: 'off|on|FD',
  unit: 'word, or the number of an open file descriptor',
  json: ['boolean', 'number'],
  parse(text) {
    if (text === 'off') return undefined;
    if (text === 'on') return 1;
    const meant = hint(text, ['off', 'on']);
    if (!/^[1-9]\d{0,5}$/.test(text))
      throw new InvalidValue(`it is not a descriptor${meant}; give off, on or the number of one, 1 or more`);
    const number = Number(text);
    const found = checked('no such descriptor is open; redirect it, as in 3>>access.log', () => fstatSync(number));
    const takesLines = found.isFile() || found.isFIFO() || found.isSocket() || found.isCharacterDevice();
    if (takesLines && !isReadOnly(number) && !isPipeOfNode(number, found)) return number;
    const cause = 'the descriptor cannot be written to, or belongs to Node itself';
    throw new InvalidValue(`${cause}; redirect it, as in 3>>access.log`);
  },
};

function isReadOnly(descriptor: number): boolean {
  try {
    writeSync(descriptor, new Uint8Array());
    return false;
  } catch (error) {
    return thrownMember(error, 'code') === 'EBADF';
  }
}

/** Returns true if Node itself uses this pipe. A write to such a pipe would end Node with SIGSEGV. */
const isPipeOfNode = (descriptor: number, { dev, ino }: Stats): boolean =>
  Array.from({ length: 256 }, (_, number) => number).some((other) => {
    const found = other > 2 && other !== descriptor && attempt(() => fstatSync(other), undefined);
    return found && found.isFIFO() && found.ino === ino && found.dev === dev && isReadOnly(other);
  });
