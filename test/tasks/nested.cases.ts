/** Loans of devices, below a prefix, which link to each other. */
import type { Row } from './row.ts';

const odd = '/api/devices/A%2FB%20%C3%BC';

export const ROWS: readonly Row[] = [
  {
    asks: 'a device',
    path: '/api/devices/AB1',
    status: 200,
    body: { name: 'Camera', loans: '/api/devices/AB1/loans' },
  },
  { asks: 'an odd serial number', path: odd, status: 200, body: { name: 'Tripod', loans: `${odd}/loans` } },
  { asks: 'an unknown device', path: '/api/devices/XY9', status: 404 },
  {
    asks: 'to lend',
    method: 'POST',
    path: '/api/devices/AB1/loans',
    json: { until: '2026-12-01' },
    status: 201,
    header: ['Location', /^\/api\/devices\/AB1\/loans\/1$/],
    body: { until: '2026-12-01', device: '/api/devices/AB1' },
  },
  {
    asks: 'to lend the odd one',
    method: 'POST',
    path: `${odd}/loans`,
    json: { until: '2026-12-24' },
    status: 201,
    header: ['Location', /^\/api\/devices\/A%2FB%20%C3%BC\/loans\/2$/],
    body: { until: '2026-12-24', device: odd },
  },
  { asks: 'a loan', path: `${odd}/loans/2`, status: 200, body: { until: '2026-12-24', device: odd } },
  { asks: 'a loan of another device', path: '/api/devices/AB1/loans/2', status: 404 },
  {
    asks: 'to lend an unknown device',
    method: 'POST',
    path: '/api/devices/XY9/loans',
    json: { until: '2026-12-01' },
    status: 404,
  },
  {
    asks: 'to lend without a day',
    method: 'POST',
    path: '/api/devices/AB1/loans',
    json: {},
    status: 400,
    names: ['until'],
  },
  {
    asks: 'to lend until a day that is none',
    method: 'POST',
    path: '/api/devices/AB1/loans',
    json: { until: 'May' },
    status: 400,
    names: ['until'],
  },
];
