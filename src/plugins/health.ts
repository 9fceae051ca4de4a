/**
 * `/health` and `/ready`, for what watches the service: the first says that the process lives, the second that it wants
 * requests. While the service stops, the first stays 200 – restarting it would cut running requests – and the second is 503.
 */

import type { Plugin } from '../host/plugin.ts';
import type { Reply } from '../http/message/context.ts';
import { problemReply } from '../http/message/problem.ts';
import { json } from '../http/message/replies.ts';
import { isGetOrHead } from '../pipeline/is-get-or-head.ts';

/** What the checks ask. */
export interface HealthOptions {
  /** Does the service want requests? False from the signal that ends it on. */
  readonly ready: () => boolean;
}

/** Answers GET and HEAD of the two paths, ignoring case; they are not part of the description. */
export function health({ ready }: HealthOptions): Plugin {
  return {
    name: 'health',
    stages: [
      function health(context, next) {
        if (isGetOrHead(context, '/health')) return answer('alive');
        if (!isGetOrHead(context, '/ready')) return next(context);
        if (ready()) return answer('ready');
        return problemReply(context, 503, 'The service is stopping', { headers: { 'Retry-After': '1' } });
      },
    ],
  };
}

const answer = (status: string): Reply => json({ status }, { headers: { 'Cache-Control': 'no-store' } });
