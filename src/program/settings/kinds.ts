/**
 * Makes the kinds of values that settings have: those of every program first, then those of this service.
 *
 * A kind never corrects a text: `--port ""` is an error and not the default port (D32). What it returns is canonical:
 * `api/` and `/api` are the base path `/api`.
 */
import { accessSync, constants, fstatSync, readFileSync, type Stats, statSync, writeSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { attempt, thrownMember, thrownMessage } from '../../core/log/thrown-value.ts';
import { isBasePath } from '../../core/message/normal-path.ts';
import { hint } from '../../core/options/did-you-mean.ts';
import { allowedHost } from '../../core/wire/allowed-hosts.ts';
import { PROXY_FAULT, trustedProxies } from '../../core/wire/trusted-proxy.ts';
import { isInRedis, placeText, storePlace } from '../store-place.ts';

/** A kind of value: how it is written on a command line, and which values are valid. */
export interface Kind<Value> {
  /** Stands for the value in the help text: `PORT`, `on|off`. */
  readonly placeholder: string;
  /** The unit and the bounds, as the help text shows them: `bytes, 1 to 256 MiB`. */
  readonly unit: string;
  /** Allows the flag more than once; `parse` then gets the texts joined by commas. */
  readonly repeatable?: boolean;
  /** What a JSON file may have in place of a text: a list of texts is an `array`. */
  readonly json?: readonly ('number' | 'boolean' | 'array')[];
  /** Parses a text. Throws `InvalidValue` with the cause and the remedy. */
  parse(text: string): Value;
  /** Writes a value as the setting takes it, without secrets; `String` does unless given. */
  show?(value: Value): string;
}

/** A text that is invalid. The message is the cause, then the remedy: `it is not a whole number; give 0 to 65535`. */
export class InvalidValue extends Error {
  /** The invalid entries of a list. */
  readonly parts: readonly { readonly text: string; readonly cause: string }[] | undefined;

  constructor(message: string, parts?: InvalidValue['parts']) {
    super(message);
    this.parts = parts;
  }
}

/** What the check returns. Throws an `InvalidValue` with this cause where that is false, or the check throws. */
function checked<Value>(cause: string, check: () => Value | false): Value {
  let value: Value | false = false;
  try {
    value = check();
  } catch (error) {
    if (thrownMember(error, 'code') === 'ERR_ACCESS_DENIED')
      throw new InvalidValue('Node has no right to read it; start it with --allow-fs-read');
  }
  if (value === false) throw new InvalidValue(cause);
  return value;
}

export const KIB = 2 ** 10;
export const MIB = 2 ** 20;
export const GIB = 2 ** 30;
export const HOUR = 3_600_000;

/** A number with a unit. `form` captures both; `factors` has the unit or its first letter. */
const measured =
  (
    placeholder: string,
    unit: string,
    form: RegExp,
    factors: Readonly<Record<string, number>>,
    show: (value: number) => string,
    fault?: string,
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
        if (number === undefined) throw new InvalidValue(fault ?? `it is not a whole number; give ${bounds}`);
        const name = factor.toLowerCase();
        const value = Number(number) * (factors[name] ?? factors[name.charAt(0)]!);
        if (value < min || value > max) throw new InvalidValue(`it is out of bounds; give ${bounds}`);
        // The sum makes -0 a 0.
        return Math.round(value) + 0;
      },
    };
  };

export const wholeNumber = (min: number, max: number, placeholder: string, unit = 'number'): Kind<number> =>
  measured(placeholder, `${unit},`, /^(-?\d+)$/, { '': 1 }, String)(min, max);

const items = wholeNumber(0, 1e9, 'COUNT', 'items');

/** The most items; 0 is `Infinity`. */
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

/** A size in bytes, as are the bounds. `1536`, `1.5k`, `1.5 KB` and `1.5KiB` are equal. A byte has no parts. */
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

/** A duration in milliseconds, as are the bounds. `15`, `15s`, `15 seconds`, `0.25m` and `15000ms` are equal. */
export const duration = measured(
  'TIME',
  'seconds, or with ms, s, m, h;',
  /^(-?\d+(?:\.\d+)?) ?(|ms|s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?)$/i,
  { ms: 1, '': 1000, s: 1000, m: 60_000, h: HOUR },
  timeText,
  'it is not a time; give seconds, or a time such as 500ms or 1m',
);

/** One of the words, case-sensitive. */
export const choice = <const Word extends string>(...words: readonly Word[]): Kind<Word> => ({
  placeholder: words.join('|'),
  unit: 'word',
  json: words.some((word) => word === 'on') ? ['boolean'] : [],
  parse(text) {
    const word = words.find((candidate) => candidate === text);
    if (word !== undefined) return word;
    throw new InvalidValue(`it is none of the known words${hint(text, words)}; give ${words.join(' or ')}`);
  },
});

const ON_OFF = choice('on', 'off');

/** `on` or `off`; the value is a boolean. */
export const onOff: Kind<boolean> = {
  ...ON_OFF,
  parse: (text) => ON_OFF.parse(text) === 'on',
  show: (value) => (value ? 'on' : 'off'),
};

/** `on` where several services can listen on one port. */
export const reusePort: Kind<boolean> = {
  ...onOff,
  parse(text) {
    const isOn = onOff.parse(text);
    const { platform, versions } = process;
    const [major = 0, minor = 0] = versions.node.split('.').map(Number);
    if (!isOn || (platform === 'linux' && (major > 22 || (major === 22 && minor >= 12)))) return isOn;
    const remedy = 'run Node 22.12 or newer on Linux, or leave it out';
    throw new InvalidValue(`Node ${versions.node} on ${platform} cannot share a port; ${remedy}`);
  },
};

/** A text that is not empty. `read` returns its value. */
export const text = <Value>(placeholder: string, unit: string, read: (given: string) => Value): Kind<Value> => ({
  placeholder,
  unit,
  parse(given) {
    if (given === '') throw new InvalidValue('it is empty; give a text, or leave the setting out');
    return read(given);
  },
});

/** A comma-separated list. An empty text and `off` give the empty list. */
const list = (placeholder: string, unit: string, read: (entry: string) => string): Kind<readonly string[]> => ({
  placeholder,
  unit,
  json: ['array'],
  show: (value) => value.join(',') || 'off',
  parse(given) {
    if (given.trim() === '' || given === 'off') return [];
    const entries = given.split(',').map((entry) => entry.trim());
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

/** What makes a base path wrong, the likeliest first. */
const BASE_PATH_CAUSES: readonly (readonly [wrong: RegExp, cause: string])[] = [
  [/[?#]/, 'it has a query or a fragment; give a path such as /todo'],
  [/[{}]/, 'it has a brace, but it is no route template; give a path such as /todo'],
  [/\/(?:\/|$)/, 'it has an empty segment; put one slash between two segments'],
  [/\/(?:\.|%2e){1,2}(?:\/|$)/i, 'it has a dot segment, which no request path keeps; leave it out'],
  [/^/, 'it has a character that a request path cannot carry; percent-encode it as UTF-8'],
];

/** The path in front of all paths of the service: a leading slash, no trailing one; empty for none (D16). */
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

/** The longest path that an address of a Unix socket holds everywhere, in bytes (104 with the zero behind it). */
const MAX_SOCKET_PATH = 103;

/** An IP address, a host name or a Unix socket, without the brackets of a URL. `assertResolvable` resolves names. */
export const host = text('HOST', 'address, name or unix:/path', (given) => {
  if (given.startsWith('unix:')) {
    if (!/^unix:\/[^\0]*[^/\0]$/.test(given))
      throw new InvalidValue('it has no absolute path of a socket; give one such as unix:/run/todo/http.sock');
    const length = Buffer.byteLength(given) - 'unix:'.length;
    if (length <= MAX_SOCKET_PATH) return given;
    throw new InvalidValue(`its path has ${length} bytes, and a socket at most ${MAX_SOCKET_PATH}; give a shorter one`);
  }
  const bare = given.replace(/^\[(.*)\]$/, '$1');
  if (/^[^:]+:\d+$/.test(bare))
    throw new InvalidValue('it carries a port, which is a setting of its own; give the host alone');
  const cause = 'it is neither an address nor a name; give one such as 127.0.0.1, :: or localhost';
  return checked(cause, () => /^[\w.:%-]+$/.test(bare) && bare);
});

/** An existing folder that the process may read and enter, as an absolute path; `off` is none, `./off` a folder. */
export const folder = text('DIR', 'folder, or off', (given) => {
  if (given === 'off') return undefined;
  const path = resolve(given);
  const found = checked('there is no such folder; create it or name another', () => statSync(path));
  checked('it is not a folder; name the folder that the file is in', () => found.isDirectory());
  const cause = 'the folder cannot be read; allow this user to read and enter it';
  checked(cause, () => accessSync(path, constants.R_OK | constants.X_OK));
  return path;
});

/** Origins as browsers send them (RFC 6454 §6.2): `https://app.example`, without the default port of the scheme. */
export const origins = list('ORIGINS', 'exact origins, commas between', (given) =>
  checked('it is not an exact origin; give one such as https://app.example:8443', () => {
    const { href, origin, protocol } = new URL(given);
    return href === `${origin}/` && /^https?:$/.test(protocol) && !given.includes('*') && origin;
  }),
);

export const webAddress = text('URL', 'URL', (given) => {
  const cause = 'it is not an absolute URL; give one such as https://example.org/page';
  return checked(cause, () => /^https?:\/\/\S+$/i.test(given) && URL.canParse(given) && given);
});

export const mailAddress = text('ADDRESS', 'mail address', (given) => {
  const cause = 'it is not a mail address; give one such as team@example.org';
  return checked(cause, () => /^[^\s@]+@[^\s@]+$/.test(given) && given);
});

export const hosts = list('HOSTS', 'names and addresses, commas between', (given) => {
  const cause = 'it is no name and no address; give one such as api.example, localhost or [::1]:8080';
  return checked(cause, () => allowedHost(given));
});

export const proxies = list('ADDRESSES', 'addresses, ranges, loopback or unix, commas between', (given) => {
  checked(PROXY_FAULT, () => trustedProxies([given]));
  return given;
});

/** Where items are kept. */
export const store: Kind<string> = {
  ...text(
    'memory|FILE|URL',
    'memory, an SQLite file, or a URL of redis://, redis-cluster:// or redis-sentinel://',
    storePlace,
  ),
  show(place) {
    if (isInRedis(place)) return placeText(place).slice(1, -1);
    // `storePlace` refuses an `@`, and the name of the working directory may have one.
    return place.includes('@') ? `./${relative('', place)}` : place;
  },
};

/** Returns an absolute path. Refuses a URL: with the folder in front, messages would show its password (D85). */
function pathOf(given: string): string {
  if (isInRedis(given) || given.includes('://')) throw new InvalidValue('it is a URL; give the path of a file');
  return resolve(given);
}

/** The path of a file that is read at the start, as an absolute one. */
export const file = (unit: string): Kind<string> => text('FILE', unit, pathOf);

/** The text of a file, without a byte order mark. Throws an `InvalidValue` for one that cannot be read. */
export function fileText(path: string): string {
  const bytes = checked('the file cannot be read; name one that this user may read', () => readFileSync(path));
  return bytes.toString().replace(/^\uFEFF/, '');
}

export const files: Kind<readonly string[]> = {
  ...list('FILE', 'file; may be given several times', pathOf),
  repeatable: true,
};

/** The number of an open file descriptor: a file, a pipe, a socket or a character device. */
export const descriptor: Kind<number | undefined> = {
  placeholder: 'off|on|FD',
  unit: 'word, or the number of an open file descriptor',
  json: ['boolean', 'number'],
  parse(given) {
    if (given === 'off') return undefined;
    if (given === 'on') return 1;
    const meant = hint(given, ['off', 'on']);
    if (!/^[1-9]\d{0,5}$/.test(given))
      throw new InvalidValue(`it is no descriptor${meant}; give off, on or the number of one, 1 or more`);
    const number = Number(given);
    const found = checked('no such descriptor is open; redirect it, as in 3>>access.log', () => fstatSync(number));
    const takesLines = found.isFile() || found.isFIFO() || found.isSocket() || found.isCharacterDevice();
    if (takesLines && !isReadAlone(number) && !isPipeOfNode(number, found)) return number;
    const cause = 'the descriptor is nothing that lines can be written to, or one of Node itself';
    throw new InvalidValue(`${cause}; redirect it, as in 3>>access.log`);
  },
};

function isReadAlone(descriptor: number): boolean {
  try {
    writeSync(descriptor, new Uint8Array());
    return false;
  } catch (error) {
    return thrownMember(error, 'code') === 'EBADF';
  }
}

/** Node reads its own pipes, of low numbers, and ends with SIGSEGV where others write to them. */
const isPipeOfNode = (descriptor: number, { dev, ino }: Stats): boolean =>
  Array.from({ length: 256 }, (_, number) => number).some((other) => {
    const found = other > 2 && other !== descriptor && attempt(() => fstatSync(other), undefined);
    return found && found.isFIFO() && found.ino === ino && found.dev === dev && isReadAlone(other);
  });
