/** Starts the lending application with three devices, for tests. Each reply is checked against its declaration. */
import assert from 'node:assert/strict';
import { verification } from '../../src/testing.ts';
import type { Badges } from './access.ts';
import { lending } from './application.ts';

export const BADGES: Badges = {
  ada: { identity: { name: 'Ada', department: 'film' }, roles: ['keeper'] },
  bob: { identity: { name: 'Bob', department: 'news' } },
};
export const ADA = { Authorization: 'Bearer ada' };
export const BOB = { Authorization: 'Bearer bob' };

/** Returns the application with a tripod and two cameras. `isLent`: Bob has the tripod. */
export async function started({ isLent = false } = {}) {
  const app = lending(BADGES, verification());
  for (const [at, kind] of ['tripod', 'camera', 'camera'].entries()) {
    const json = { serial: `AB000${at}`, name: `No. ${at}`, kind, acquired: `202${at}-05-01` };
    const { status } = await app.request('/v2/devices', { method: 'POST', headers: ADA, json });
    assert.equal(status, 201);
  }
  const json = { until: '2026-12-01' };
  const lend = () => app.request('/v2/devices/AB0000/loan', { method: 'POST', headers: BOB, json });
  if (isLent) assert.equal((await lend()).status, 201);
  return app;
}
