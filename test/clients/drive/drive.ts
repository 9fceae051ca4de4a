/** Drives the client that swagger-typescript-api generated. Each call sends what `sent.ts` has for it. */
import { Api, type Texts } from './generated.js';
import * as sent from './sent.js';

interface Outcome {
  readonly status: number;
  readonly data?: unknown;
}

const token = (secret: string) => ({ headers: { Authorization: `Bearer ${secret}` } });

export function client(baseUrl: string) {
  const { api, v2Fa } = new Api({ baseUrl, securityWorker: () => ({ headers: { 'X-API-Key': 'a-key' } }) });
  const outcome = (asked: Promise<Response & { data: unknown }>): Promise<Outcome> =>
    asked.then(
      ({ status, data }) => ({ status, data: data ?? undefined }),
      (answered: Response & { error: unknown }) => {
        if (!(answered instanceof Response)) throw answered;
        return { status: answered.status, data: answered.error };
      },
    );
  const bytes = async (blob: Blob) => [...new Uint8Array(await blob.arrayBuffer())];
  const readDeclared = ({ day, colour, text }: typeof sent.declared) =>
    outcome(api.apiParametersDeclaredByDayByColourByTextGet(day, colour, text));
  const { id, count, level, big, ratio, on, word } = sent.constrained;
  const { name: documentName, extension, page } = sent.document;
  const { name, text, ids } = sent.everywhere;
  const list = 7;
  return {
    query: () => outcome(api.apiParametersQueryGet(sent.query)),
    commas: () => outcome(api.apiParametersQueryGet(sent.commas)),
    spaces: () => outcome(api.apiParametersQueryGet(sent.spaces)),
    pipes: () => outcome(api.apiParametersQueryGet(sent.pipes)),
    headers: () => outcome(api.apiParametersHeadersGet({ headers: sent.headerTexts })),
    constrained: () =>
      outcome(api.apiParametersPathByIdByCountByLevelByBigByRatioByOnByWordGet(id, count, level, big, ratio, on, word)),
    declared: () => readDeclared(sent.declared),
    slash: () => readDeclared(sent.slash),
    list: () => outcome(api.apiParametersListByNumbersGet(sent.list)),
    code: () => outcome(v2Fa.path2FaByCodeGet(sent.code.code)),
    noPage: () => outcome(api.apiParametersPagesGet()),
    page: () => outcome(api.apiParametersPagesByPageGet(4)),
    file: () => outcome(api.apiParametersFilesByPathGet(sent.file.path)),
    document: () => outcome(api.apiParametersDocumentsByNameByExtensionByPageGet(documentName, extension, page)),
    everywhere: () =>
      outcome(
        api.apiParametersEverywhereByIdPut(sent.everywhere.id, { text }, { ids }, { headers: { 'X-Name': name } }),
      ),
    refused: () => outcome(api.apiParametersQueryGet({ colour: 'red', day: 'tomorrow' })),

    texts: () => outcome(api.apiBodiesTextsPost({ ...sent.texts, password: sent.password })),
    nulls: () => outcome(api.apiBodiesTextsPost(sent.nulls as unknown as Texts)),
    numbers: () => outcome(api.apiBodiesNumbersPost(sent.numbers)),
    lists: () => outcome(api.apiBodiesListsPost(sent.lists)),
    drawing: () => outcome(api.apiBodiesDrawingsPost(sent.drawing)),
    shape: () => outcome(api.apiBodiesShapesPost(sent.circle)),
    tree: () => outcome(api.apiBodiesTreesPost(sent.tree)),
    chain: () => outcome(api.apiBodiesChainsPost(sent.chain)),

    names: () => outcome(api.apiBodiesNamesPost(sent.names)),

    rows: () => outcome(api.apiAnswersRowsGet()),
    rowsAsCsv: () => outcome(api.apiAnswersRowsGet({ headers: sent.csv, format: 'text' })),
    async rowsAsBytes() {
      const answered = await api.apiAnswersRowsGet({ headers: sent.bytes, format: 'blob' });
      return { status: answered.status, data: await bytes(answered.data as unknown as Blob) };
    },
    async picture() {
      const { status, data, headers } = await api.apiAnswersPictureGet();
      return { status, data: { bytes: await bytes(data), size: headers.get('X-Size') } };
    },
    samePicture: () => outcome(api.apiAnswersPictureGet({ headers: sent.anyTag })),
    anotherPicture: () => outcome(api.apiAnswersPictureGet({ headers: sent.anotherTag })),
    events: () => outcome(api.apiAnswersEventsGet({ format: 'text' })),
    place: () => outcome(api.apiAnswersPlaceGet()),
    note: () => outcome(api.apiAnswersNoteGet({ format: 'text' })),

    person: () => outcome(api.apiSecretsPersonGet(token('a-token'))),
    either: () => outcome(api.apiSecretsEitherGet()),
    link: () => outcome(api.apiSecretsLinkGet()),
    password: () => outcome(api.apiSecretsPasswordGet({ headers: { Authorization: sent.basic } })),
    open: () => outcome(api.apiSecretsOpenGet()),
    admin: () => outcome(api.apiSecretsDelete(token('an-admin-token'))),
    forbidden: () => outcome(api.apiSecretsDelete(token('a-token'))),

    listTasks: () => outcome(api.apiListsByListTasksGet(list)),
    addTask: () => outcome(api.apiListsByListTasksPost(list, sent.task)),
    readTask: (id: string) => outcome(api.apiListsByListTasksByIdGet(list, id)),
    replaceTask: (id: string) => outcome(api.apiListsByListTasksByIdPut(list, id, sent.doneTask)),
    updateTask: (id: string) => outcome(api.apiListsByListTasksByIdPatch(list, id, { text: 'Walk' })),
    removeTask: (id: string) => outcome(api.apiListsByListTasksByIdDelete(list, id)),
  };
}
