/** Tests the text of server-sent events with a parser that follows the HTML standard. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventText, lastEventIdOf, type ServerSentEvent } from '../../../src/shelf/events/event-text.ts';

interface ReadEvent {
  readonly event: string;
  readonly data: string;
  readonly id: string;
}

/** Returns the events that a browser dispatches and the last reconnection time (HTML standard, "event stream"). */
function readEvents(text: string): { events: ReadEvent[]; retry: number | undefined } {
  const events: ReadEvent[] = [];
  let [event, id, data, retry] = ['', '', [] as string[], undefined as number | undefined];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, field = '', value = ''] = /^([^:]*):? ?([^]*)$/.exec(line)!;
    if (line === '') {
      if (data.length > 0) events.push({ event: event || 'message', data: data.join('\n'), id });
      [event, data] = ['', []];
    } else if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
    else if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) retry = Number(value);
  }
  return { events, retry };
}

for (const [what, sent, expected, retry] of [
  ['a plain text', 'Hello', { data: 'Hello', event: 'message' }],
  ['a text of several lines with different line breaks', 'a\nb\rc\r\nd\n\ne', { data: 'a\nb\nc\nd\n\ne' }],
  ['a text that ends with a break', 'a\n', { data: 'a\n' }],
  ['a text that looks like fields', 'x\nevent: y\nid: 9\n\ndata: z', { data: 'x\nevent: y\nid: 9\n\ndata: z', id: '' }],
  ['a text that starts with a space and a colon', ' : a', { data: ' : a' }],
  ['an object, as JSON', { data: { a: [1, null], b: 'x\ny' } }, { data: '{"a":[1,null],"b":"x\\ny"}' }],
  ['null', { data: null }, { data: 'null' }],
  ['a name and an id', { event: 'news', id: 'ü 7', data: 'a' }, { event: 'news', id: 'ü 7', data: 'a' }],
  ['an id that is a number', { id: 0, data: 'a' }, { id: '0' }],
  ['an empty id, which replaces the earlier id', { id: '', data: 'a' }, { id: '' }],
  ['a reconnection time', { retry: 5000, data: 'a' }, { data: 'a' }, 5000],
  ['members that are undefined', { event: undefined, id: undefined, retry: undefined, data: 'a' }, { data: 'a' }],
] as const)
  test(`D75 – ${what} → a client reads the same`, () => {
    const read = readEvents(eventText(sent));
    assert.equal(read.events.length, 1);
    assert.deepEqual({ ...read.events[0], ...expected }, read.events[0]);
    assert.equal(read.retry, retry);
  });

for (const [what, sent, message] of [
  ['an id with a line break', { id: 'a\nb', data: '' }, /its id "a\\nb" has a line break; only its data can have one/],
  ['an id with U+0000', { id: 'a\0', data: '' }, /U\+0000/],
  ['an id of 1,025 bytes', { id: `${'ü'.repeat(512)}x`, data: '' }, /more than 1024 bytes/],
  ['a name with a line break', { event: 'a\ndata: b', data: '' }, /its name .* has a line break/],
  ['a name that is a number', { event: 5, data: '' }, /its name is "5"; give a text/],
  ['no data', { event: 'a' }, /it has no data/],
  ['a function as data', { data: () => {} }, /it has no data/],
  ['a time below zero', { retry: -1, data: '' }, /its retry is "-1"/],
  ['a misspelt member', { evnt: 'a', data: 1 }, /"evnt": it is unknown; did you mean "event"/],
  ['nothing', undefined, /it is undefined; give a text or { data }/],
] as const)
  test(`D75 – ${what} → a TypeError`, () => {
    assert.throws(() => eventText(sent as ServerSentEvent), { name: 'TypeError', message });
  });

for (const [what, header, id] of [
  ['an empty header', '', undefined],
  ['an id', '7', '7'],
  ['an id in UTF-8, as browsers send it', Buffer.from('ü✓').toString('latin1'), 'ü✓'],
  ['an id in Latin-1', 'ü', 'ü'],
  ['an id of 1,024 bytes', 'x'.repeat(1024), 'x'.repeat(1024)],
  ['a longer id, which an event cannot have', 'x'.repeat(1025), undefined],
] as const)
  test(`D75 – Last-Event-ID is ${what} → ${id?.slice(0, 9)}`, () => {
    assert.equal(lastEventIdOf({ 'last-event-id': header }), id);
  });
