/** The behaviour of every store: sequences of steps and concurrent steps for a new store without items. */

/** The question and the answer of a test. */
export interface Row {
  readonly question: string;
  readonly answer: string;
}

/** The version that a change requires: of the item now or before its last change, of the item `z`, of the list. */
type Asked = 'now' | 'before' | 'z' | 'list' | 'other';
export type Step =
  | { readonly add: string; readonly name?: string | null; readonly fails?: 'taken' | 'full' }
  | { readonly replace: string; readonly at?: Asked; readonly name?: string | null; readonly fails?: 'same' | 'full' }
  | { readonly remove: string; readonly at?: Asked; readonly fails?: 'same' };

interface StepsCase extends Row {
  readonly steps: readonly Step[];
  /** Set if the row needs a store from `makeFull`. */
  readonly needs?: 'full';
}

/** Concurrent steps. `change` is the number of steps that change the store. */
interface AtOnceCase extends Row {
  readonly atOnce: readonly Step[];
  readonly change: number;
}

const row = (question: string, answer: string, ...steps: readonly Step[]): StepsCase => ({
  question,
  answer,
  steps,
});
const long = 'x'.repeat(100_000);

export const STEPS: readonly StepsCase[] = [
  row('three items', 'in the order of their creation', { add: 'c' }, { add: 'a' }, { add: 'b' }),
  row('replace an item', 'it keeps its place', { add: 'a' }, { add: 'b' }, { replace: 'a', name: 'A' }),
  row('remove an item', 'the others keep their order', { add: 'a' }, { add: 'b' }, { add: 'c' }, { remove: 'b' }),
  row(
    'remove and add again',
    'at the end, with a new version',
    { add: 'a' },
    { add: 'b' },
    { remove: 'a' },
    { add: 'a' },
  ),
  row('remove all', 'an empty list', { add: 'a' }, { add: 'b' }, { remove: 'a' }, { remove: 'b' }),
  row('add an existing key', 'an error, nothing changed', { add: 'a' }, { add: 'a', name: 'b', fails: 'taken' }),
  row('replace a missing item', 'undefined', { add: 'a' }, { replace: 'b', fails: 'same' }),
  row('remove a missing item', 'false', { add: 'a' }, { remove: 'b', fails: 'same' }),
  row('remove twice', 'false', { add: 'a' }, { remove: 'a' }, { remove: 'a', fails: 'same' }),
  row('replace a removed item', 'undefined', { add: 'a' }, { remove: 'a' }, { replace: 'a', fails: 'same' }),
  row('replace with the same value', 'a new version', { add: 'a', name: 'A' }, { replace: 'a', name: 'A' }),
  ...(['replace', 'remove'] as const).flatMap((change) => [
    row(`${change} with the current version`, 'changed', { add: 'a' }, { [change]: 'a', at: 'now' } as Step),
    row(
      `${change} with the version that replace returned`,
      'changed',
      { add: 'a' },
      { replace: 'a', at: 'now', name: 'b' },
      { [change]: 'a', at: 'now' } as Step,
    ),
    row(
      `${change} with the current version after changes of other items`,
      'changed',
      { add: 'a' },
      { add: 'z' },
      { replace: 'z' },
      { remove: 'z' },
      { [change]: 'a', at: 'now' } as Step,
    ),
    ...(
      [
        ['an earlier version', 'before'],
        ['the version of another item', 'z'],
        ['the version of the list', 'list'],
        ['a version that no item ever had', 'other'],
      ] as const
    ).map(([what, at]) =>
      row(
        `${change} with ${what}`,
        'nothing changed',
        { add: 'a' },
        { add: 'z' },
        { replace: 'a', name: 'b' },
        { replace: 'z', name: 'y' },
        { add: 'last' },
        { remove: 'last' },
        { [change]: 'a', at, fails: 'same' } as Step,
        { [change]: 'a', at: 'now' } as Step,
      ),
    ),
    row(
      `${change} with the version from before it was removed and added again`,
      'nothing changed',
      { add: 'a', name: 'A' },
      { remove: 'a' },
      { add: 'a', name: 'A' },
      { [change]: 'a', at: 'before', fails: 'same' } as Step,
    ),
    row(`${change} a removed item with its last version`, 'nothing changed', { add: 'a' }, { remove: 'a' }, {
      [change]: 'a',
      at: 'before',
      fails: 'same',
    } as Step),
  ]),
  row(
    'two hundred items of 400 letters, some changed',
    'the list follows',
    ...Array.from({ length: 200 }, (_, at): Step => ({ add: `k${at}`, name: `${at}é`.repeat(100) })),
    { remove: 'k0' },
    { replace: 'k100', name: 'short' },
    { remove: 'k199' },
    { add: 'k0' },
  ),
  ...[
    ...['__proto__', 'constructor', 'toString', '', ' ', 'a ', 'A', 'a/b', 'a%2Fb', '..', '*', '?', 'a:b', '\0', '\n'],
    ...['é', 'e\u0301', 'ß', 'SS', 'ı', '日本', '😀', '\ufeff', "' OR 1=1 --", '0', '00', '1e3', 'k'.repeat(1000)],
  ].map((key) =>
    row(
      `the key ${JSON.stringify(key.slice(0, 12))}`,
      'is a separate item and found exactly',
      { add: 'a' },
      { replace: key, fails: 'same' },
      { add: key, name: 'b' },
      { replace: key, name: 'c', at: 'now' },
      { add: key, fails: 'taken' },
      { remove: key, at: 'now' },
      { remove: key, fails: 'same' },
    ),
  ),
  row(
    'keys that differ in case, white space or normal form',
    'different items',
    ...['a', 'A', ' a', 'a ', 'é', 'e\u0301', 'É', 'ß', 'ss', '1', '01', '1.0'].map(
      (key): Step => ({ add: key, name: key }),
    ),
    { replace: 'A', name: 'changed' },
    { remove: 'e\u0301' },
  ),
  ...(
    [null, '', '"', '\\', '\0', '\n\r\t', '\x7f', 'é', 'e\u0301', '日本', '😀', '\ud800', '\ufeff', '\u2028'] as const
  ).map((name) =>
    row(
      `the name ${JSON.stringify(name)}`,
      'as JSON.stringify writes it',
      { add: 'a', name },
      { add: 'b' },
      { replace: 'b', name, at: 'now' },
    ),
  ),
  row(
    'a name of a million letters',
    'whole, in the item and in the list',
    { add: 'a', name: 'é'.repeat(1_000_000) },
    { replace: 'a', name: 'x'.repeat(1_000_000), at: 'now' },
  ),
  {
    ...row(
      'add to a full store',
      'an error, nothing changed; there is room after a removal',
      { add: 'a', name: 'x'.repeat(1000) },
      { add: 'b', fails: 'full' },
      { replace: 'a', name: 'small' },
      { remove: 'a' },
      { add: 'b' },
    ),
    needs: 'full',
  },
  {
    ...row(
      'replace in a full store',
      'an error, nothing changed; a wrong key or version comes first',
      { add: 'a' },
      { replace: 'a', name: 'y' },
      { replace: 'a', name: long, fails: 'full' },
      { replace: 'a', name: long, at: 'now', fails: 'full' },
      { replace: 'a', name: long, at: 'before', fails: 'same' },
      { replace: 'b', name: long, fails: 'same' },
    ),
    needs: 'full',
  },
];

const ten = (make: (at: number) => Step): Step[] => Array.from({ length: 10 }, (_, at) => make(at));
/** Each case starts with one item, `a`. */
export const AT_ONCE: readonly AtOnceCase[] = (
  [
    ['replace with one version', 'one call changes it', ten((at) => ({ replace: 'a', name: `${at}`, at: 'now' })), 1],
    ['remove with one version', 'one call removes it', ten(() => ({ remove: 'a', at: 'now' })), 1],
    [
      'replace and remove with one version',
      'one call succeeds',
      ten((at) => (at % 2 === 0 ? { replace: 'a', at: 'now' } : { remove: 'a', at: 'now' })),
      1,
    ],
    ['remove', 'one call removes it', ten(() => ({ remove: 'a' })), 1],
    ['replace', 'each call changes it', ten((at) => ({ replace: 'a', name: `${at}` })), 10],
    ['add different keys', 'the store has each once', ten((at) => ({ add: `b${at}`, name: `${at}` })), 10],
    ['add one key', 'one call adds it', ten((at) => ({ add: 'b', name: `${at}`, fails: 'taken' })), 1],
  ] as const
).map(([question, answer, atOnce, change]) => ({
  question: `ten times at once: ${question}`,
  answer,
  atOnce,
  change,
}));

/** Concurrent calls of `seed`. If two processes share the store, they take turns. */
interface SeedCase extends Row {
  readonly before: readonly Step[];
  readonly seeds: readonly string[];
  /** The number of items afterwards. */
  readonly found: number;
}

/** The cases for stores with the method `seed`. */
export const SEEDS: readonly SeedCase[] = [
  {
    question: 'a first item for a new store',
    answer: 'the store has it',
    before: [],
    seeds: ['a'],
    found: 1,
  },
  {
    question: 'ten first items for a new store, at once',
    answer: 'the store has one of them',
    before: [],
    seeds: Array.from({ length: 10 }, (_, at) => `s${at}`),
    found: 1,
  },
  {
    question: 'a first item for a store whose only item was removed',
    answer: 'the store stays empty',
    before: [{ add: 'a' }, { remove: 'a' }],
    seeds: ['s'],
    found: 0,
  },
];
