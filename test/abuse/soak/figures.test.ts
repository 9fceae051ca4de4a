import assert from 'node:assert/strict';
import { table } from '../../support/table.ts';
import { outcomeOf, type SoakFigures, slopeOf } from './figures.ts';

const MIB = 2 ** 20;

/** A sample each second, with what the collector has not come to yet, in MiB. */
const samples = (minutes: number, memoryAt: (minute: number) => number) =>
  Array.from({ length: minutes * 60 }, (_, second) => ({
    at: second * 1000,
    memory: (memoryAt(second / 60) + (second % 7)) * MIB,
  }));

const SLOPES: readonly (readonly [
  what: string,
  minutes: number,
  memoryAt: (minute: number) => number,
  slope: number,
])[] = [
  ['no leak', 60, () => 100, 0],
  ['10 MiB an hour', 60, (minute) => 100 + minute / 6, 10],
  ['a warm-up of 80 MiB', 60, (minute) => 100 + Math.min(minute, 10) * 8, 0],
  ['one step of 20 MiB near the end', 60, (minute) => (minute < 55 ? 100 : 120), 0],
  ['a peak in each window', 60, (minute) => (minute % 1 < 0.5 ? 300 : 100), 0],
  ['1 MiB a minute, in two minutes', 2, (minute) => 100 + minute, 60],
  ['memory that is given back', 60, (minute) => 200 - minute, -60],
];

table(
  SLOPES.map(([what, minutes, memoryAt, wanted]) => ({
    ...{ clause: 'abuse', question: `memory of a soak: ${what}`, answer: `${wanted} MiB an hour` },
    ...{ minutes, memoryAt, wanted },
  })),
  ({ minutes, memoryAt, wanted }) => {
    const { slope, low, high } = slopeOf(samples(minutes, memoryAt))!;
    assert.ok(Math.abs(slope / MIB - wanted) < 2, `${slope / MIB}`);
    assert.ok(low <= slope && slope <= high, `${low} to ${high}`);
  },
);

const WELL: SoakFigures = {
  ...{ requests: 1000, explained: 3, injected: 4, recovered: 4, lost: 0, open: 50, openAtEnd: 49, mostOpen: 90 },
  ...{ delay: 12.4, longest: 80, memory: samples(60, () => 100), wrong: [] },
};

const OUTCOMES: readonly (readonly [what: string, change: Partial<SoakFigures>, wrong?: string])[] = [
  ['all well', {}],
  ['an error', { wrong: ['GET /: 500'] }, 'GET /: 500'],
  ['an item is lost', { lost: 1 }, '1 items are lost'],
  ['a fault without recovery', { recovered: 3 }, '1 faults were not recovered from'],
  ['a descriptor more', { openAtEnd: 51 }, '51 descriptors are open at the end, 50 were at the beginning'],
  ['31 MiB an hour', { memory: samples(60, (minute) => 100 + (minute * 31) / 60) }],
  ['60 MiB an hour', { memory: samples(60, (minute) => 100 + minute) }, 'memory grows by 60.0 MiB/h or more'],
  ['60 MiB an hour, in two minutes', { memory: samples(2, (minute) => 100 + minute) }],
  ['20 MiB a minute', { memory: samples(2, (minute) => 20 * minute) }, 'memory grows by 1134.5 MiB/h or more'],
  ['no sample of memory', { memory: [] }],
];

table(
  OUTCOMES.map(([what, change, wrong]) => ({
    ...{ clause: 'abuse', question: `outcome of a soak: ${what}`, answer: wrong ?? 'nothing is wrong' },
    ...{ change, wanted: wrong === undefined ? [] : [wrong] },
  })),
  ({ change, wanted }) => assert.deepEqual(outcomeOf([{ ...WELL, ...change }]).wrong, wanted),
);

table(
  [{ clause: 'abuse', question: 'the line of a soak of two services', answer: 'sums, and the memory of the first' }],
  () => {
    const other = { ...WELL, memory: [], delay: 900, longest: 100 };
    assert.equal(
      outcomeOf([WELL, other]).line,
      '2000 requests, 0 errors (6 more are of faults), memory 0.0 MiB/h (0.0 to 0.0, bound 32.0), ' +
        'descriptors 100 to 98, 180 at most, longest pause 12 ms of the event loop, 100 ms of a request, ' +
        '8 faults injected, 8 recovered, 0 items lost',
    );
  },
);
