/** Drives the application through swagger-client, which reads a document when it starts and generates nothing. */
import SwaggerClient from 'swagger-client';

const WITH_KEY = { ApiKey: 'a-key', QueryKey: 'a-key' };
const FILES = { '2.0': 'swagger.json', 3.1: 'openapi.json' };

/** The client as `drive/drive.ts` makes it. `urls` gathers the addresses that were called. */
export async function swaggerClient(base, format, sent, urls = []) {
  const url = `${base}/swagger/v1/${FILES[format]}`;
  const { apis, errors } = await SwaggerClient({ url });
  if (errors.length > 0) throw new AggregateError(errors);

  const send = async (tag, id, parameters, { body, name = 'body', credentials = WITH_KEY, ...more } = {}) => {
    const isInParameters = body !== undefined && format === '2.0';
    const response = await apis[tag]
      [id](isInParameters ? { ...parameters, [name]: body } : parameters, {
        ...(!isInParameters && { requestBody: body }),
        securities: { authorized: credentials },
        ...more,
      })
      .catch((error) => {
        if (!error.response) throw error;
        return error.response;
      });
    urls.push(response.url);
    return response;
  };
  const call = async (...asked) => {
    const { status, text, obj } = await send(...asked);
    return { status, data: text === '' || text === undefined ? undefined : obj };
  };
  const answers = (id, more) => send('Answers', `ApiAnswers${id}Get`, {}, more);
  const asText = async (id, more) => {
    const { status, text } = await answers(id, more);
    return { status, data: text };
  };
  const picture = (headers) =>
    asText('Picture', {
      requestInterceptor: (request) => ({ ...request, headers: { ...request.headers, ...headers } }),
    });
  const bytes = async (blob) => [...new Uint8Array(await blob.arrayBuffer())];
  // 2.0 knows no bearer tokens: they are a key in `Authorization` (D71).
  const token = (secret) => ({ Bearer: format === '2.0' ? `Bearer ${secret}` : { value: secret } });
  const parameters = (id, values, body) => call('Parameters', `ApiParameters${id}`, values, body);
  const bodies = (id, body, name) => call('Bodies', `ApiBodies${id}Post`, {}, { body, name });
  const secrets = (id, credentials) => call('Secrets', `ApiSecrets${id}`, {}, { credentials });
  const { id, ids, name, text } = sent.everywhere;
  const list = format === '2.0' ? 11 : 13;
  const tasks = (id, values, body) => call('Tasks', `ApiListsByListTasks${id}`, { list, ...values }, { body });
  const declared = 'DeclaredByDayByColourByTextGet';
  return {
    query: () => parameters('QueryGet', sent.query),
    commas: () => parameters('QueryGet', sent.commas),
    spaces: () => parameters('QueryGet', sent.spaces),
    pipes: () => parameters('QueryGet', sent.pipes),
    headers: () => parameters('HeadersGet', sent.headers),
    constrained: () => parameters('PathByIdByCountByLevelByBigByRatioByOnByWordGet', sent.constrained),
    declared: () => parameters(declared, sent.declared),
    slash: () => parameters(declared, sent.slash),
    list: () => parameters('ListByNumbersGet', { numbers: sent.list }),
    code: () => call('Codes', 'Path2faByCodeGet', sent.code),
    noPage: () => parameters('PagesGet', {}),
    page: () => parameters('PagesByPageGet', { page: 4 }),
    file: () => parameters('FilesByPathGet', sent.file),
    document: () => parameters('DocumentsByNameByExtensionByPageGet', sent.document),
    everywhere: () => parameters('EverywhereByIdPut', { id, ids, 'X-Name': name }, { body: { text }, name: 'content' }),
    refused: () => parameters('QueryGet', { colour: 'red', day: 'tomorrow' }),

    texts: () => bodies('Texts', { ...sent.texts, password: sent.password }, 'texts'),
    nulls: () => bodies('Texts', sent.nulls, 'texts'),
    numbers: () => bodies('Numbers', sent.numbers),
    lists: () => bodies('Lists', sent.lists),
    drawing: () => bodies('Drawings', sent.drawing),
    shape: () => bodies('Shapes', sent.circle),
    tree: () => bodies('Trees', sent.tree),
    chain: () => bodies('Chains', sent.chain),

    names: () => bodies('Names', sent.names),

    rows: () => call('Answers', 'ApiAnswersRowsGet', {}),
    rowsAsCsv: () => asText('Rows', { responseContentType: sent.csv.Accept }),
    async rowsAsBytes() {
      const { status, data } = await answers('Rows', { responseContentType: sent.bytes.Accept });
      return { status, data: await bytes(data) };
    },
    async picture() {
      const { status, data, headers } = await answers('Picture');
      return { status, data: { bytes: await bytes(data), size: headers['x-size'] } };
    },
    samePicture: () => picture(sent.anyTag),
    anotherPicture: () => picture(sent.anotherTag),
    events: () => asText('Events'),
    place: () => call('Answers', 'ApiAnswersPlaceGet', {}),
    note: () => asText('Note'),

    person: () => secrets('PersonGet', token('a-token')),
    either: () => secrets('EitherGet'),
    link: () => secrets('LinkGet'),
    password: () => secrets('PasswordGet', { Password: { username: 'anna', password: 'a password' } }),
    open: () => secrets('OpenGet', {}),
    admin: () => secrets('Delete', token('an-admin-token')),
    forbidden: () => secrets('Delete', token('a-token')),

    listTasks: () => tasks('Get'),
    addTask: () => tasks('Post', {}, sent.task),
    readTask: (id) => tasks('ByIdGet', { id }),
    replaceTask: (id) => tasks('ByIdPut', { id }, sent.doneTask),
    updateTask: (id) =>
      call('Tasks', 'ApiListsByListTasksByIdPatch', { list, id }, { body: { text: 'Walk' }, name: 'change' }),
    removeTask: (id) => tasks('ByIdDelete', { id }),
  };
}
