/** Tests files of settings, secrets, warnings about variables, `--print-config` and `--check` (D32, D108). */
import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { parseEnv } from 'node:util';
import { assertPlace } from '../../../src/service/item-store.ts';
import { bodyBudget, storeBudget } from '../../../src/service/memory-budgets.ts';
import { GivenSettings, readCopyPlaces, readSettings, SettingsError } from '../../../src/service/settings/settings.ts';
import { KEY } from '../../support/certificate.ts';
import { runProgram } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const REDIS = 'redis://todo:s%23cret@cache:6379/1?list=mine';
const INFO = {
  ...{ title: 'T', version: 'v2', description: 'D', termsOfService: 'Be kind' },
  contact: { name: 'N', url: 'https://e.example/', email: 'a@e.example' },
  license: { name: 'A', url: 'http://e.example' },
};
const folder = temporaryFolder({
  store: `${REDIS}\n`,
  'other-store': '\uFEFFredis://other\r\n',
  'wrong-store': 'redis://todo:s#cret@cache',
  'no-url': 'u:secret@cache',
  empty: '',
  'info.json': `\uFEFF${JSON.stringify(INFO)}`,
  'title.json': '{ "title": "T" }',
  'list.json': '[]',
  'cut.json': '{ "title": "T",\n  "version": "secret }',
  'wrong.json': `{ "titel": "T", "version": "", "contact": { "url": "example.org", "mail": "x" }, "license": { "url": "a:b" } }`,
});
const at = (name: string): string => join(folder, name);

for (const [name, want] of [
  ['info.json', INFO],
  ['title.json', { ...readSettings([], {}).info, title: 'T' }],
] as const)
  test(`§2.2 – --info ${name} → its members, and the defaults of the others`, () =>
    assert.deepEqual(readSettings(['--info', at(name)], {}), { ...readSettings([], {}), info: want }));

test('D108 – --store @FILE → the URL in the file', () => {
  for (const [argv, environment] of [
    [[`--store=@${at('store')}`], { TODO_STORE: 'memory' }],
    [[], { TODO_STORE: `@${at('store')}` }],
  ] as const)
    assert.equal(readSettings(argv, environment).store, REDIS);
});

const EXAMPLE = '{ "title": "To-do API" }';
const URL_LESS = 'it has no URL of Redis; write a URL into it, such as redis://user:password@host:6379';
const UNREADABLE = 'the file cannot be read; name one that this user may read';
for (const [name, text, cause] of [
  ['--info', at('list.json'), 'Expected an object, not an array; correct the file'],
  ['TODO_INFO', at('cut.json'), `it is not JSON; give an object such as ${EXAMPLE}`],
  [
    '--info',
    at('wrong.json'),
    '/version: Expected 1 or more characters, not 0; ' +
      '/contact/url: Expected the format uri; /contact/mail: This member is not allowed here (did you mean email?); ' +
      '/license/name: This member is required; /titel: This member is not allowed here (did you mean title?); correct the file',
  ],
  ['TODO_INFO', at('none.json'), UNREADABLE],
  ['--store', `@${at('none')}`, UNREADABLE],
  ['--store', '@', UNREADABLE],
  [
    'TODO_STORE',
    `@${at('wrong-store')}`,
    'it is not a URL of Redis; give one such as redis://user:password@host:6379/0, and percent-encode the password',
  ],
  ['--store', `@${at('no-url')}`, URL_LESS],
  ['--store', `@${at('empty')}`, URL_LESS],
] as const)
  test(`D108 – ${name} ${text.replace(folder, '')} → invalid`, () => {
    const isFlag = name.startsWith('-');
    const refused = new SettingsError(`Cannot use ${name} "${text}": ${cause}`);
    assert.throws(() => readSettings(isFlag ? [name, text] : [], isFlag ? {} : { [name]: text }), refused);
    assert.doesNotMatch(refused.message, /s#?[ec]+cret|u:s/);
  });

/** Mistyped stores with a password: one per line, then texts with control characters. */
const SECRETS: readonly string[] = [
  ...`
"redis://u:s3cret@h"
'redis://u:s3cret@h'
tls:redis://u:s3cret@h
u:s3cret@h:6379
:s3cret@h
//u:s3cret@h
redis//u:s3cret@h
redis:u:s3cret@h
rdis://u:s3cret@h
mysql://u:p@s3cret@h/1
u:s3cret://x@h
REDIS://u:s3cret
./u:s3cret@h
redis://u:12/s3cret@h
redis://s3cret?list=a@h
http://u:s3cret@h
rediss://s3cret?cert=a&key=b@h
redis:\\\\u:s3cret@h
s3cret@memory
cache:6379,password=s3cret,ssl=False
/redis.sock?password=s3cret
tcp://h:6379?password=s3cret
https://h/?token=s3cret
tcp://redis%3A//u:s3cret
h?password=p@s3cret`
    .trim()
    .split('\n'),
  ...[' redis://u:s3cret@h', 'redis://u:s3cret@h ', '\uFEFFredis://u:s3cret@h', 'u:s3cret\n@h'],
  ...['u:p"s3cret\u202e@redis:6379', `redis://${'u'.repeat(300)}:s3cret@h/x`],
];
for (const text of SECRETS)
  test(`D85 – ${JSON.stringify(text).slice(0, 40)} → invalid in every source, and no message has the password`, () => {
    const flags = ['--store', '--info', '--host', '--static', '--trusted-proxies'].map((flag) => [flag, text]);
    const others = [
      ['--store', `@${text}`],
      [`--store=${text}`, '--store', text],
      [text],
      [`--${text}`],
      [`--stroe=${text}`],
    ];
    const given = [
      ...[...flags, ...others].map((argv) => new GivenSettings(argv, {})),
      ...['TODO_STORE', 'TODO_INFO', 'PORT'].map((name) => new GivenSettings([], { [name]: text })),
    ];
    const copies = [
      [text, 'b.db'],
      ['b.db', text],
      [`@${text}`, 'b.db'],
    ].map((places) => () => readCopyPlaces(['--copy-store', ...places], {}));
    for (const question of [...given.flatMap((one) => [() => one.read(), () => one.text()]), ...copies])
      assert.throws(question, (error) => error instanceof SettingsError && !error.message.includes('s3cret'));
  });

for (const [store, because] of [
  [':memory:', /it is not the word memory/],
  ['Memory', /it is not the word memory/],
  ['"memory"', /it is not the word memory/],
  [' memory\r', /it is not the word memory/],
  ['file:todo.db', /it has a colon.+give a path such as todo\.db/],
  ['sqlite:todo.db', /it has a colon/],
  ['localhost:6379', /it has a colon/],
  ['file:///todo.db', /it is neither a file nor a URL of Redis/],
  ['sqlite3://todo.db', /it is neither/],
  ['redis%3A%2F%2Fu%3Apassword%40h', /it is neither/],
  ['team@todo.db', /it is neither/],
  ["'todo.db'", /it begins or ends with a quotation mark or a blank/],
  ['todo.db\r', /it begins or ends with/],
] as const)
  test(`D85 – the store ${JSON.stringify(store)} → invalid with a hint, and no file is created`, () => {
    assert.throws(() => readSettings(['--store', store], {}), because);
    assert.throws(() => readCopyPlaces(['--copy-store', 'a.db', store], {}), because);
  });

test('D83 – a file path as the store → a file', () => {
  for (const store of ['todo.db', './file:x', 'memory.db', './memory', 'C:\\todo.db', '/data/a b.db'])
    assert.equal(readSettings(['--store', store], {}).store, resolve(store));
});

test('D86 – --copy-store @FILE @FILE → the URLs in the files, for both stores', () => {
  const [cache, other] = [`@${at('store')}`, `@${at('other-store')}`];
  const copied = (...places: readonly string[]) => {
    const { from, to } = readCopyPlaces(['--copy-store', ...places], {});
    return [from, to];
  };
  assert.deepEqual(copied(cache, other), [REDIS, 'redis://other']);
  assert.deepEqual(copied('./a.db', cache), [resolve('a.db'), REDIS]);
  assert.deepEqual(copied(cache, 'a.db'), [REDIS, resolve('a.db')]);
  for (const [places, fault] of [
    [[cache, cache], /"@.*store": both stores are the same; name another$/],
    [[`@${at('no-url')}`, 'a.db'], /"@.*no-url": it has no URL of Redis; write a URL into it/],
    [['a.db', `@${at('wrong-store')}`], /"@.*wrong-store": it is not a URL of Redis; give one/],
    [['a.db', '@'], /"@": the file cannot be read; name one that this user may read$/],
  ] as const)
    assert.throws(() => copied(...places), fault);
});

test('D108 – --copy-store → ignores the store of the environment and the settings that need a store', () => {
  const elsewhere = { TODO_STORE: `@${at('none')}`, TODO_MAX_STORE_BYTES: '1g' };
  const { settings } = readCopyPlaces(['--copy-store', 'a.db', 'b.db'], elsewhere);
  assert.deepEqual(settings, { ...readSettings([], {}), maxStoreBytes: 2 ** 30 });
});

test('D108 – the name of a setting in messages → the flag or the variable that sets it, else its flag', () => {
  for (const [argv, environment, name] of [
    [[], {}, '--port'],
    [['--port=1'], { PORT: '1' }, '--port'],
    [[], { TODO_PORT: '1', PORT: '2' }, 'TODO_PORT'],
    [[], { TODO_PORT: '', PORT: '1' }, 'PORT'],
    [['--port'], { PORT: '1' }, 'PORT'],
  ] as const)
    assert.equal(new GivenSettings(argv, environment).nameOf('port'), name);
});

for (const [variable, text, meant] of [
  ['TODO_PROT', '1', 'TODO_PORT'],
  ['TODO_HEALTHCHECK', 'x', 'TODO_HEALTH_CHECKS'],
  ['TODO_STORE_URL', 'redis://x', 'TODO_STORE'],
  ['TODO_CONFIG', 'x', undefined],
  ['TODO_REDIS', 'x', undefined],
] as const)
  test(`D108 – ${variable} → a warning ${meant === undefined ? 'without a proposal' : `that proposes ${meant}`}`, () => {
    const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
    assert.deepEqual(new GivenSettings([], { [variable]: text }).warnings, [
      `The variable ${variable} is not read: the setting does not exist${hint}; --help lists them`,
    ]);
  });

/** The variables that Kubernetes sets for a Service of this name with the port 80. */
const serviceLink = (name: string, address = '10.96.0.1') => ({
  ...{ [`${name}_SERVICE_HOST`]: address, [`${name}_SERVICE_PORT`]: '80', [`${name}_SERVICE_PORT_HTTP`]: '80' },
  ...{ [`${name}_PORT`]: `tcp://${address}:80`, [`${name}_PORT_80_TCP`]: `tcp://${address}:80` },
  ...{ [`${name}_PORT_80_TCP_PROTO`]: 'tcp', [`${name}_PORT_80_TCP_PORT`]: '80' },
  [`${name}_PORT_80_TCP_ADDR`]: address,
});
for (const name of ['TODO', 'TODO_ADMIN', 'TODO_STORE'])
  test(`D108 – the service links of Kubernetes for ${name} → neither a setting nor a warning`, () => {
    const given = new GivenSettings([], { ...serviceLink(name), HEALTH_CHECK: 'on', HTTP_PROXY: 'x', TODO_MODELS: '' });
    assert.deepEqual([given.read(), given.warnings], [readSettings([], {}), []]);
  });

test('D108 – --print-config → every setting once as a variable, with its source and without secrets', () => {
  const variables = { TODO_STORE: REDIS, TODO_MODEL: 'annotated', PORT: '9000' };
  const given = new GivenSettings(['--max-body', '2m', '--static', '.', '--info', at('info.json')], variables);
  const lines = given.text().split('\n');
  assert.equal(lines.length, Object.keys(readSettings([], {})).length);
  for (const line of [
    "TODO_PORT='9000' # PORT",
    "TODO_HOST='127.0.0.1' # default",
    "TODO_MAX_BODY='2m' # --max-body",
    "TODO_REQUEST_TIMEOUT='30 s' # default",
    "TODO_CORS_ORIGINS='off' # default",
    "TODO_MODEL='annotated' # TODO_MODEL",
    `TODO_INFO='${at('info.json')}' # --info`,
    "# TODO_STORE='redis://…' # TODO_STORE, secrets left out",
    `TODO_MAX_BODY_MEMORY='' # default, ${bodyBudget(2 * 2 ** 20)} bytes by the memory of this process`,
    "TODO_MAX_STORE_BYTES='' # default",
  ])
    assert.ok(lines.includes(line), `${line}\n\n${given.text()}`);
  assert.doesNotMatch(given.text(), /23cret|todo:/);
  const again = readSettings([], { ...parseEnv(given.text()), TODO_STORE: REDIS });
  assert.deepEqual(again, given.read());
});

test('D121 – --print-config → the memory limit of items in bytes, unless a setting replaces it', () => {
  const line = (...argv: string[]) => /^TODO_MAX_STORE_BYTES=.*$/m.exec(new GivenSettings(argv, {}).text())?.[0];
  assert.equal(line(), `TODO_MAX_STORE_BYTES='' # default, ${storeBudget()} bytes by the memory of this process`);
  assert.equal(line('--max-store-bytes', '2m'), "TODO_MAX_STORE_BYTES='2m' # --max-store-bytes");
});

/** Neither the test nor the program finds a client of Redis. */
delete process.env['NODE_PATH'];
const plugins = temporaryFolder({
  'good.js':
    'export default { name: "good", start() { throw new Error("it was started"); } }; setInterval(() => {}, 1000);',
  'bad.js': 'export default {};',
  'key.pem': KEY,
});
for (const [certificate, cause] of [
  ['none.pem', /ENOENT: .+none\.pem'/],
  ['key.pem', /.+/],
] as const)
  test(`D85 – the certificate ${certificate} of a store → invalid before the service starts`, () => {
    const store = `rediss://cache?cert=${join(plugins, certificate)}&key=${join(plugins, 'key.pem')}`;
    const says = `^Cannot keep items in "rediss://cache": its certificate or key: ${cause.source}; give two PEM files$`;
    return assert.rejects(assertPlace(readSettings(['--store', store], {}).store), { message: new RegExp(says) });
  });

for (const [flags, status, said, errors] of [
  [['--plugin', join(plugins, 'good.js')], 0, 'ok\n', /^$/],
  [
    ['--plugin', join(plugins, 'bad.js'), '--store', '/nowhere/todo.db', '--host', 'nowhere.invalid'],
    1,
    '',
    /^Cannot use --host "nowhere.invalid": .+\nCannot use --plugin "bad.js": .+\nCannot keep items in "\/nowhere\/todo.db": ENOENT: .+; create its folder, .+\n$/,
  ],
  [
    ['--store', 'redis://cache'],
    2,
    '',
    /^Cannot keep items in "redis:\/\/cache": the package "redis" cannot be loaded \(Cannot find module .+\); .+\n$/,
  ],
  // The check of the store and the composed application report the same error.
  [
    ['--store', 'redis://cache?lst=a'],
    2,
    '',
    /^Cannot keep items in "redis:\/\/…": it has an unknown parameter; .+\n$/,
  ],
  [
    ['--plugin', 'u:s3cret@h', '--host', 'redis:u:s3cret'],
    1,
    '',
    /^Cannot use --host "…": .+\nCannot use --plugin "…@h": the file does not exist; name another\n$/,
  ],
] as const)
  test(`D108 – --check ${flags.join(' ').replaceAll(plugins, '')} → exit code ${status}, and nothing is started`, () => {
    const done = runProgram('--check', ...flags);
    assert.match(done.stderr, errors);
    assert.deepEqual([done.stdout, done.status], [said, status]);
  });
