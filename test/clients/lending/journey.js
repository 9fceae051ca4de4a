/**
 * Adds devices, reads them by pages, lends one, gives it back and sends its photo, with a client as
 * `drive/lending/client.ts` has it.
 */
import assert from 'node:assert/strict';

/** Bytes of which no text is made. */
const PHOTO = [0x89, 0x50, 0x4e, 0x47, 255, 254];
const BORROWED = { until: '2026-12-01', purpose: 'shoot', borrower: 'Bob' };

/** `clientOf` makes the client of a token. `differences` are those of this client. */
export async function lendingJourney(clientOf, differences) {
  const [ada, bob, stranger] = [clientOf('ada'), clientOf('bob'), clientOf()];
  const own = await ownDevices(stranger);
  const [{ serial }] = own;
  await addJourney(ada, bob, stranger, own);
  await changeJourney(ada, own[0], differences);
  await pageJourney(stranger, own);
  await loanJourney(ada, bob, stranger, serial);
  await photoJourney(bob, stranger, serial, differences);
}

/** Devices newer than those that other clients have added. */
async function ownDevices(client) {
  const { status, data } = await client.list({ size: 100 });
  assert.equal(status, 200);
  const count = data.items.length;
  return ['camera', 'tripod', 'camera'].map((kind, at) => ({
    serial: `AB${String(count + at).padStart(4, '0')}`,
    name: `No. ${at} – ü`,
    kind,
    acquired: `${2000 + count}-0${at + 1}-28`,
  }));
}

async function addJourney(ada, bob, stranger, own) {
  const [first] = own;
  const { kind: _, ...withoutKind } = first;
  assert.equal((await stranger.add(first)).status, 401);
  assert.equal((await bob.add(first)).status, 403);
  assert.equal((await ada.read(first.serial)).status, 404);
  assert.deepEqual(await ada.add(withoutKind), { status: 201, data: first });
  for (const device of own.slice(1)) assert.deepEqual(await ada.add(device), { status: 201, data: device });
  const again = await ada.add(first);
  assert.deepEqual([again.status, again.data.detail], [409, `There is a device ${first.serial} already`]);
  assert.deepEqual(await stranger.read(first.serial), { status: 200, data: first });
}

/** Whether a call succeeds; for a listed difference it is the status of that. */
function succeeds(call, { status, data }, differences) {
  const expected = differences.find((one) => one.call === call)?.status ?? 200;
  assert.equal(status, expected, `${call}: ${JSON.stringify(data)}`);
  return status === 200;
}

async function changeJourney(ada, device, differences) {
  const renamed = { ...device, name: 'Renamed' };
  const changed = await ada.change(device.serial, renamed);
  if (!succeeds('change', changed, differences)) return;
  assert.deepEqual(changed.data, renamed);
  assert.deepEqual(await ada.change(device.serial, device), { status: 200, data: device });
}

async function pageJourney(client, own) {
  const since = own[0].acquired;
  const page = await client.list({ since, size: 2 });
  assert.deepEqual(page.data.items, own.slice(0, 2));
  const from = Number(new URLSearchParams(page.data.next.split('?')[1]).get('from'));
  assert.deepEqual(await client.list({ since, size: 2, from }), {
    status: 200,
    data: { items: own.slice(2), next: null },
  });
  const tripods = await client.list({ since, kind: 'tripod' });
  assert.deepEqual(tripods.data, { items: [own[1]], next: null });
  const { status, data } = await client.list({ since: 'May', size: 0 });
  assert.equal(status, 400);
  assert.deepEqual(
    data.errors.map(({ parameter }) => parameter),
    ['since', 'size'],
  );
}

async function loanJourney(ada, bob, stranger, serial) {
  const loan = { ...BORROWED, device: `/api/devices/${serial}` };
  const wish = { until: BORROWED.until };
  assert.equal((await stranger.lend(serial, wish)).status, 401);
  assert.equal((await bob.lend('ZZ9999', wish)).status, 404);
  assert.equal((await bob.loan(serial)).status, 404);
  assert.deepEqual(await bob.lend(serial, wish), { status: 201, data: loan });
  const refused = await ada.lend(serial, wish);
  assert.deepEqual([refused.status, refused.data.until], [409, wish.until]);
  assert.deepEqual(await ada.loan(serial), { status: 200, data: loan });
  assert.equal((await ada.giveBack(serial)).status, 403);
  assert.equal((await bob.giveBack(serial)).status, 204);
  assert.equal((await bob.loan(serial)).status, 404);
}

async function photoJourney(bob, stranger, serial, differences) {
  const file = new File([Uint8Array.from(PHOTO)], 'photo.png', { type: 'image/png' });
  assert.equal((await stranger.photo(serial)).status, 404);
  assert.equal((await stranger.sendPhoto(serial, 'Front', file)).status, 401);
  const sent = await bob.sendPhoto(serial, 'Front & ü', file);
  if (!succeeds('sendPhoto', sent, differences)) return;
  assert.equal(sent.data, 'Front & ü');
  assert.deepEqual(await stranger.photo(serial), { status: 200, data: PHOTO });
  const { status, data } = await bob.sendPhoto(serial, 'x'.repeat(81), file);
  assert.deepEqual([status, data.errors.map(({ parameter }) => parameter)], [400, ['title']]);
}
