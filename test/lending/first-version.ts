/** Version 1, which old programs still read. Its loans have the name of the borrower. */
import { controller, ok, type Plugin, routesOf } from '../../src/index.ts';
import type { Access } from './access.ts';
import type { House } from './house.ts';
import { LOAN_1 } from './schemas.ts';

export const firstVersion = (house: House, { staff }: Access): Plugin => ({
  name: 'lending',
  routes: routesOf(
    controller({
      name: 'Loans',
      path: 'devices/{serial:serial}/loan',
      security: [staff],
      operations: (operation) => [
        operation({
          method: 'GET',
          path: '',
          deprecated: true,
          responses: { 200: { schema: LOAN_1 }, 404: {} },
          handle({ values: { serial } }) {
            const { until, borrower } = house.loan(serial);
            return ok({ until, borrower: borrower.name });
          },
        }),
      ],
    }),
  ),
});
