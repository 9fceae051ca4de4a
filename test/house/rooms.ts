/** The rooms of `src/`, each after those whose files it imports, with the files that other rooms may import. */

export interface Room {
  /** Its path below `src/`; `.` is `src/` itself. */
  readonly room: string;
  /** Its public files, without `.ts`. */
  readonly open: readonly string[];
}

export const ROOMS: readonly Room[] = [
  { room: 'log', open: ['escape-controls', 'log-line', 'thrown-value'] },
  {
    room: 'http/headers',
    open: [
      'byte-range',
      'conditional',
      'content-type',
      'entity-tag',
      'header-fault',
      'http-date',
      'media-types',
      'negotiation',
      'request-id',
      'security-headers',
    ],
  },
  {
    room: 'http/message',
    open: [
      'after',
      'check-reply',
      'client-gone',
      'context',
      'context-with',
      'path',
      'problem',
      'replies',
      'request-state',
      'status-text',
    ],
  },
  {
    room: 'http/connection',
    open: [
      'backlog',
      'body-memory',
      'connection',
      'connection-watch',
      'exchange',
      'in-flight-chunks',
      'limits',
      'lingering-close',
      'node-internals',
      'shutdown',
    ],
  },
  { room: 'http/body', open: ['body-fault', 'body-limit', 'read-body'] },
  { room: 'http/reply', open: ['first-bytes', 'refusal', 'write-reply'] },
  { room: 'http/proxy', open: ['address-range', 'is-encrypted', 'trusted-proxy'] },
  { room: 'http', open: ['inject', 'listener-options', 'service'] },
  { room: 'pipeline', open: ['is-get-or-head', 'observed', 'pipeline', 'problems', 'stage', 'traced'] },
  { room: 'files', open: ['file-name', 'file-reply', 'file-variant', 'folder', 'static-files'] },
  { room: 'routing/text', open: ['encode', 'fold-case', 'upper-case-method', 'white-space'] },
  { room: 'routing/template', open: ['template', 'template-error', 'template-parser', 'values-of'] },
  { room: 'routing/constraints/datetime', open: ['date-text'] },
  { room: 'routing/constraints/regex', open: ['expression-cost'] },
  { room: 'routing/constraints', open: ['constraint', 'constraint-table', 'expression', 'number-text'] },
  {
    room: 'routing/route',
    open: [
      'assert-declaration',
      'declared-values',
      'link-values',
      'prepared-route',
      'route',
      'route-input',
      'route-options',
    ],
  },
  { room: 'routing/match', open: ['match-route', 'route-path', 'route-values'] },
  { room: 'routing/index', open: ['candidates', 'route-index'] },
  { room: 'routing/links', open: ['link-path', 'link-route'] },
  { room: 'routing', open: ['doubtful-templates', 'explain-text', 'route-collection', 'routing'] },
  {
    room: 'api/schema/declaration',
    open: ['discriminator', 'infer', 'joined-object', 'keywords', 'problem-schema', 'references', 'schema'],
  },
  { room: 'api/schema/keywords', open: ['format', 'multiple-of', 'pattern', 'unique-items'] },
  {
    room: 'api/schema',
    open: ['assert-schema', 'check-value', 'json-members', 'property-naming', 'sent-pointer', 'serialize', 'validate'],
  },
  { room: 'api/parameters', open: ['assert-parameter', 'parameter', 'path-parameter', 'place-reader'] },
  {
    room: 'api/uploads',
    open: ['accepted-media-type', 'assert-upload', 'form-fields', 'refused-media-type', 'upload', 'upload-reader'],
  },
  {
    room: 'api/security',
    open: [
      'as-promise',
      'assert-security',
      'authenticator',
      'checked-credentials',
      'required-authenticator',
      'security-scheme',
    ],
  },
  {
    room: 'api/operation',
    open: [
      'answers',
      'controller',
      'declared-locations',
      'operation',
      'operation-id',
      'operation-input',
      'operation-reference',
      'representation',
      'response',
    ],
  },
  { room: 'api/media-types', open: ['assert-responses', 'body-writers', 'csv', 'produced-media-types'] },
  { room: 'api/collection', open: ['refused-change', 'represented-collection', 'responses'] },
  { room: 'api/operation-routes', open: ['operation-routes', 'operation-settings', 'responses-of'] },
  { room: 'api/description', open: ['describe-openapi', 'describe-swagger', 'description-options'] },
  { room: 'api', open: ['verify-reply'] },
  {
    room: 'host',
    open: ['application', 'did-you-mean', 'load-plugins', 'package-file', 'plugin', 'plugin-error', 'stage-origin'],
  },
  { room: 'plugins/access-log', open: ['access-log'] },
  { room: 'plugins/metrics', open: ['metrics'] },
  { room: 'plugins/swagger-page', open: ['swagger-page'] },
  { room: 'plugins', open: ['cors', 'description', 'health', 'static-site', 'verification'] },
  { room: 'todo', open: ['todo'] },
  { room: 'settings', open: ['description-settings', 'help', 'quarter-of-heap', 'settings'] },
  { room: '.', open: [] },
];
