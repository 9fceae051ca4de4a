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
      'accept',
      'accept-encoding',
      'byte-range',
      'conditional',
      'content-type',
      'entity-tag',
      'header-fault',
      'http-date',
      'media-types',
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
      'request-id',
      'security-headers',
      'status-text',
    ],
  },
  { room: 'http/proxy', open: ['address-range', 'forwarding', 'is-encrypted'] },
  { room: 'pipeline', open: ['is-get-or-head', 'observed', 'pipeline', 'problems', 'stage', 'stage-name', 'traced'] },
  { room: 'files', open: ['file-name', 'file-reply', 'file-variant', 'folder', 'static-files'] },
  { room: 'routing/text', open: ['encode', 'fold-case'] },
  { room: 'routing/template', open: ['parse-template', 'template', 'template-error'] },
  { room: 'routing/constraints/regex', open: ['expression-cost'] },
  {
    room: 'api/schema',
    open: ['check-value', 'problem-schema', 'property-naming', 'schema', 'sent-pointer', 'serialize', 'validate'],
  },
];
