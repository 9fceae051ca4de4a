/** Reference C.8 – `datetime` accepts the forms of its grammar and rejects texts that only resemble them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDate } from '../../../../src/core/routing/constraints/datetime.ts';

/** A form, texts of this form, and similar texts that are rejected. */
for (const [form, accepted, rejected] of [
  [
    'numbers',
    ['12/25/2009', '3.14', '1 2', '1-2-2009', '2009-05-12', '12/2009'],
    ['25/12/2009', '20090512', '1/2/3/4'],
  ],
  ['days', ['2/29/2008', '12/31/9999', '1/1/0001'], ['2/29/2009', '4/31/2009', '1/1/0000', '1/1/10000']],
  [
    'names',
    ['5 Apr', 'Apr 5', 'May 12, 2009', '12 may 09', '2009 September', 'jan 2009'],
    ['Apr', 'Sept 5', 'May May 5'],
  ],
  ['times', ['5:30', '5:30:15.125', '5 PM', '5:30 pm', '23:59:59'], ['5', '24:00', '5:60', '13 am', '5:30 am pm']],
  ['both', ['12/25/2009 5:30 PM', '5:30 12/25/2009', 'May 12, 2009 10:20:30'], ['12/25/2009 5:30 6:30', '5/1 5/2']],
  ['weekdays', ['Friday 12/25/2009', 'fri, 25 Dec 2009'], ['Monday 12/25/2009', 'Friday', 'Fri Fri 12/25/2009']],
  [
    'zones',
    ['5:30 Z', '5:30 +2', '5:30 -02:30', '5:30 GMT', '2009-05-12-02:00'],
    ['5:30 +15', '5:30 +02:60', '5:30 Z Z'],
  ],
  [
    'ISO',
    ['2009-05-12T10:20', '2009-05-12T10:20:30.5Z', '2009-05-12 T 10:20-02:00'],
    ['2009-05-12T', '2009-05-12T24:00', '5/12T10:20'],
  ],
  ['range', ['12/31/9999 23:59 +0'], ['12/31/9999 23:59 -1', '9999-12-31T23:59-01:00']],
  [
    'padding',
    [' 3.14 ', '#3.14#', '3.14\0\0', '3,14', '\x853.14', '3.14 A.D.'],
    ['##3.14#', '3.14\0x', '\ufeff3.14', '3.14 B.C.'],
  ],
  ['other texts', [], ['', ' ', 'today', '/', '5/', 'Z', 'x3.14', '123456789']],
] as const)
  test(`C.8 – ${form} → ${accepted.length} texts accepted, ${rejected.length} rejected`, () => {
    assert.deepEqual(
      accepted.filter((text) => !isDate(text)),
      [],
    );
    assert.deepEqual(rejected.filter(isDate), []);
  });
