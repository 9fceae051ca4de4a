import { authentication, bearerTokens } from '../../../src/extensions/authentication/authentication.ts';
import { description } from '../../../src/extensions/description/description.ts';
import { application, controller, ok, type Plugin, schema } from '../../../src/index.ts';
import { HOLDERS } from '../shared.ts';

const USER = schema('User', {
  type: 'object',
  required: ['name', 'department'],
  properties: { name: { type: 'string' }, department: { type: 'string', enum: ['film', 'news'] } },
});

const bearer = bearerTokens((token) => HOLDERS.get(token));

const users: Plugin = {
  name: 'users',
  controllers: [
    controller({
      name: 'Users',
      path: '',
      security: [bearer],
      operations: (operation) => [
        operation({
          method: 'GET',
          path: 'me',
          responses: { 200: { schema: USER } },
          handle: ({ identity: user }) => ok({ name: user.name, department: user.department }),
        }),
        operation({
          method: 'GET',
          path: 'keys',
          security: [{ scheme: bearer, roles: ['keeper'] }],
          responses: { 200: { schema: { type: 'array', items: { type: 'string' } } } },
          handle: () => ok(['north', 'south']),
        }),
      ],
    }),
  ],
};

export const app = application([authentication(bearer), users, description({ title: 'Users' })]);
