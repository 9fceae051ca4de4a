/** What a client cannot do, each with its reason: a `call` that is answered otherwise. A test fails when it has learnt it. */
const DIFFERENCES = [
  {
    client: 'swagger-typescript-api',
    call: 'slash',
    answered: (sent) => ({ status: 200, data: { ...sent.slash, text: 'a & b=c' } }),
    reason: 'writes a value of the path as it is, so its "?" begins the query',
  },
  {
    client: 'swagger-typescript-api',
    call: 'link',
    answered: () => ({ status: 401 }),
    reason: 'its securityWorker gives headers, and no key for the query',
  },
  {
    client: 'swagger-client',
    call: 'query',
    answered: ({ query: { old: _, ...others } }) => ({ status: 200, data: others }),
    reason: 'leaves a parameter out whose text is empty',
  },
];

/** Those of a client. */
export const differencesOf = (client) => DIFFERENCES.filter((one) => one.client === client);
