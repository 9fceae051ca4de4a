import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from '../../../src/extensions/rate-limit/client-network.ts';

for (const [address, network] of [
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['::FFFF:C000:0201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
  ['0000:0000:0000:0000:0000:ffff:c000:0201', '192.0.2.1'],
  ['0::ffff:c000:201', '192.0.2.1'],
  ['::ffff:c000:201%eth0', '192.0.2.1'],
  ['::ffff:0:c000:201', '0:0:0:0'],
  ['2001:db8::ffff:c000:201', '2001:db8:0:0'],
  ['::ffff:192.0.2.1:80', '::ffff:192.0.2.1:80'],
  ['2001:db8:a:b:1:2:3:4', '2001:db8:a:b'],
  ['2001:0DB8:000A:000B::', '2001:db8:a:b'],
  ['2001:db8:a::1', '2001:db8:a:0'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8::b:1:2:3:4', '2001:db8:0:b'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
  ['1::', '1:0:0:0'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['unknown', 'unknown'],
  ['_hidden', '_hidden'],
  ['', ''],
] as const)
  test(`D79 the network of "${address}" → "${network}"`, () => assert.equal(networkOf(address), network));
