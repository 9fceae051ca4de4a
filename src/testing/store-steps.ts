/** The behaviour of every store: sequences of steps and concurrent steps for a new store without items. */

/** A change of the item with this key. */
export interface Step {
  readonly act: 'add' | 'replace' | 'remove';
  readonly key: string;
  readonly name?: string | null;
  /** The version that the change requires: of the item now or before its last change, of the item `z`, of the list. */
  readonly at?: 'now' | 'before' | 'z' | 'list' | 'other';
  /** Set if nothing changes: the key is taken, the store is full, or the store reports that no item has key and version. */
  readonly fails?: 'taken' | 'full' | 'same';
}

/** The question and the answer of a test, and its steps. */
export interface Row {
  readonly question: string;
  readonly answer: string;
  readonly steps: readonly Step[];
}

type More = Omit<Step, 'act' | 'key'>;
const step =
  (act: Step['act']) =>
  (key: string, more: More = {}): Step => ({ act, key, ...more });
const [add, replace, remove] = [step('add'), step('replace'), step('remove')];
const row = (question: string, answer: string, ...steps: readonly Step[]): Row => ({ question, answer, steps });

const VERSIONS = {
  before: 'an earlier version',
  z: 'the version of another item',
  list: 'the version of the list',
  other: 'a version that no item ever had',
} as const;

/** Each takes its steps one after the other. */
export const STEPS: readonly Row[] = [
  row('three items', 'in the order of their creation', add('c'), add('a'), add('b')),
  row('replace an item', 'it keeps its place', add('a'), add('b'), replace('a', { name: 'A' })),
  row('replace with the same value', 'a new version', add('a'), replace('a')),
  row('remove an item', 'the others keep their order', add('a'), add('b'), add('c'), remove('b')),
  row('remove and add again', 'at the end, with a new version', add('a'), add('b'), remove('a'), add('a')),
  row('remove all', 'an empty list', add('a'), add('b'), remove('a'), remove('b')),
  row('replace a removed item', 'undefined', add('a'), remove('a'), replace('a', { fails: 'same' })),
  ...[replace, remove].flatMap((change) => {
    const changed = change('a', { at: 'now' });
    const refused = (at: NonNullable<Step['at']>): Step => change('a', { at, fails: 'same' });
    const renamed = replace('a', { at: 'now', name: 'b' });
    const others = [replace('z', { name: 'y' }), add('last'), remove('last')];
    return [
      row(`${changed.act} with the current version`, 'changed', add('a'), changed),
      row(`${changed.act} with the version that replace returned`, 'changed', add('a'), renamed, changed),
      row(
        `${changed.act} after changes of other items`,
        'changed',
        add('a'),
        add('z'),
        ...others,
        remove('z'),
        changed,
      ),
      ...(['before', 'z', 'list', 'other'] as const).map((at) =>
        row(
          `${changed.act} with ${VERSIONS[at]}`,
          'nothing changed',
          add('a'),
          add('z'),
          renamed,
          ...others,
          refused(at),
        ),
      ),
      row(
        `${changed.act} with the version from before it was removed and added again`,
        'nothing changed',
        ...[add('a'), remove('a'), add('a'), refused('before')],
      ),
      row(
        `${changed.act} a removed item with its last version`,
        'nothing changed',
        add('a'),
        remove('a'),
        refused('before'),
      ),
    ];
  }),
  row(
    'two hundred items of 400 letters, some changed',
    'the list follows',
    ...Array.from({ length: 200 }, (_, at) => add(`k${at}`, { name: `${at}é`.repeat(100) })),
    ...[remove('k0'), replace('k100', { name: 'short' }), remove('k199'), add('k0')],
  ),
  ...[
    ...['__proto__', 'constructor', 'toString', '', ' ', 'a ', 'A', 'a/b', 'a%2Fb', '..', '*', '?', 'a:b', '\0', '\n'],
    ...['é', 'e\u0301', 'ß', 'SS', 'ı', '日本', '😀', '\ufeff', "' OR 1=1 --", '0', '00', '1e3', 'k'.repeat(1000)],
  ].map((key) =>
    row(
      `the key ${JSON.stringify(key.slice(0, 12))}`,
      'is a separate item and found exactly',
      ...[add('a'), replace(key, { fails: 'same' }), add(key, { name: 'b' })],
      ...[replace(key, { name: 'c', at: 'now' }), add(key, { fails: 'taken' })],
      ...[remove(key, { at: 'now' }), remove(key, { fails: 'same' })],
    ),
  ),
  row(
    'keys that differ in case, white space or normal form',
    'different items',
    ...['a', 'A', ' a', 'a ', 'é', 'e\u0301', 'É', 'ß', 'ss', '1', '01', '1.0'].map((key) => add(key, { name: key })),
    ...[replace('A', { name: 'changed' }), remove('e\u0301')],
  ),
  ...[null, '', '"', '\\', '\0', '\n\r\t', '\x7f', 'é', 'e\u0301', '日本', '😀', '\ud800', '\ufeff', '\u2028'].map(
    (name) =>
      row(
        `the name ${JSON.stringify(name)}`,
        'as JSON.stringify writes it',
        ...[add('a', { name }), add('b'), replace('b', { name, at: 'now' })],
      ),
  ),
  row(
    'a name of a million letters',
    'whole, in the item and in the list',
    ...[add('a', { name: 'é'.repeat(1e6) }), replace('a', { name: 'x'.repeat(1e6), at: 'now' })],
  ),
];

const long = 'x'.repeat(100_000);

/** Each needs a store from `makeFull`. */
export const STEPS_IF_FULL: readonly Row[] = [
  row(
    'add to a full store',
    'an error, nothing changed; there is room after a removal',
    ...[add('a', { name: 'x'.repeat(1000) }), add('b', { fails: 'full' }), replace('a', { name: 'small' })],
    ...[remove('a'), add('b')],
  ),
  row(
    'replace in a full store',
    'an error, nothing changed; a wrong key or version comes first',
    ...[add('a'), replace('a', { name: 'y' })],
    ...[replace('a', { name: long, fails: 'full' }), replace('a', { name: long, at: 'now', fails: 'full' })],
    ...[replace('a', { name: long, at: 'before', fails: 'same' }), replace('b', { name: long, fails: 'same' })],
  ),
];

const atOnce = (question: string, answer: string, change: number, make: (at: number) => Step) => ({
  ...row(`ten times at once: ${question}`, answer, ...Array.from({ length: 10 }, (_, at) => make(at))),
  change,
});

/** Each takes its steps at once in a store with the item `a`. `change` is the number of steps that change the store. */
export const AT_ONCE: readonly (Row & { readonly change: number })[] = [
  atOnce('replace with one version', 'one call changes it', 1, (at) => replace('a', { name: `${at}`, at: 'now' })),
  atOnce('remove with one version', 'one call removes it', 1, () => remove('a', { at: 'now' })),
  atOnce('replace and remove with one version', 'one call succeeds', 1, (at) =>
    (at % 2 === 0 ? replace : remove)('a', { at: 'now' }),
  ),
  atOnce('remove', 'one call removes it', 1, () => remove('a')),
  atOnce('replace', 'each call changes it', 10, (at) => replace('a', { name: `${at}` })),
  atOnce('add different keys', 'the store has each once', 10, (at) => add(`b${at}`, { name: `${at}` })),
  atOnce('add one key', 'one call adds it', 1, (at) => add('b', { name: `${at}`, fails: 'taken' })),
];

/** Each takes its steps, and then calls `seed` at once with each of these keys. `found` items are there afterwards. */
export const SEEDS: readonly (Row & { readonly seeds: readonly string[]; readonly found: number })[] = [
  { ...row('a first item for a new store', 'the store has it'), seeds: ['a'], found: 1 },
  { ...row('first items for a new store, at once', 'the store has one of them'), seeds: [...'abcdefghij'], found: 1 },
  {
    ...row('a first item for a store whose only item was removed', 'the store stays empty', add('a'), remove('a')),
    seeds: ['s'],
    found: 0,
  },
];
