/** The operations of loans in version 2. Errors of the domain become problems in `faults` (`house.ts`). */
import { answer, controller, noContent, ok } from '../../src/index.ts';
import type { Access } from './access.ts';
import type { ReadDevice } from './devices.ts';
import type { House } from './house.ts';
import { LOAN_2, WISH } from './schemas.ts';

export const loansController = (house: House, { staff, session, kiosk }: Access, readDevice: ReadDevice) =>
  controller({
    name: 'Loans',
    path: 'devices/{serial:serial}/loan',
    operations(operation) {
      const read = operation({
        method: 'GET',
        path: '',
        summary: 'Returns the loan. Only the staff sees the borrower',
        security: [staff, session, {}],
        responses: { 200: { schema: LOAN_2 }, 404: {} },
        handle({ values: { serial }, identity, link }) {
          const { borrower, ...loan } = house.loan(serial);
          const shown = { ...loan, device: link(readDevice) };
          return ok(identity === undefined ? shown : { ...shown, borrower });
        },
      });
      const lend = operation({
        method: 'POST',
        path: '',
        security: [staff, session],
        body: WISH,
        responses: { 201: { schema: LOAN_2, location: read }, 404: {}, 409: { description: 'The device is lent' } },
        async handle({ values: { serial }, body, identity, link }) {
          const loan = await house.lend(serial, { ...body, borrower: identity });
          return answer(201, { ...loan, device: link(readDevice) }, { location: { to: read, values: { serial } } });
        },
      });
      const giveBack = operation({
        method: 'DELETE',
        path: '',
        summary: 'Returns the device, at the desk with a badge or at a kiosk in a session',
        security: [staff, { all: [session, kiosk] }],
        responses: { 204: {}, 403: {}, 404: {} },
        handle({ values: { serial }, identity }) {
          house.giveBack(serial, identity);
          return noContent();
        },
      });
      return [read, lend, giveBack];
    },
  });
