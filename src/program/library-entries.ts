/** Lists each public entry with its members, by the name that a plugin file imports (D80). */
import * as extending from '../extending.ts';
import * as accessLog from '../extensions/access-log/access-log.ts';
import * as allowedMethods from '../extensions/allowed-methods/allowed-methods.ts';
import * as authentication from '../extensions/authentication/authentication.ts';
import * as collection from '../extensions/collection/collection.ts';
import * as cors from '../extensions/cors/cors.ts';
import * as description from '../extensions/description/description.ts';
import * as events from '../extensions/events/events.ts';
import * as files from '../extensions/files/files.ts';
import * as health from '../extensions/health/health.ts';
import * as metrics from '../extensions/metrics/metrics.ts';
import * as rateLimit from '../extensions/rate-limit/rate-limit.ts';
import * as redis from '../extensions/redis/redis-store.ts';
import * as sqlite from '../extensions/sqlite/sqlite-store.ts';
import * as swaggerPage from '../extensions/swagger-page/swagger-page.ts';
import * as todo from '../extensions/todo/todo.ts';
import * as uploads from '../extensions/uploads/upload.ts';
import * as verification from '../extensions/verification/verification.ts';
import * as http from '../http.ts';
import * as main from '../index.ts';
import * as instrument from '../instrument.ts';
import * as operations from '../operations.ts';
import * as routing from '../routing.ts';
import * as testing from '../testing.ts';

export const libraryEntries: Readonly<Record<string, object>> = {
  'todo-item-service': main,
  'todo-item-service/http': http,
  'todo-item-service/routing': routing,
  'todo-item-service/operations': operations,
  'todo-item-service/extending': extending,
  'todo-item-service/instrument': instrument,
  'todo-item-service/testing': testing,
  'todo-item-service/access-log': accessLog,
  'todo-item-service/allowed-methods': allowedMethods,
  'todo-item-service/authentication': authentication,
  'todo-item-service/collection': collection,
  'todo-item-service/cors': cors,
  'todo-item-service/description': description,
  'todo-item-service/events': events,
  'todo-item-service/files': files,
  'todo-item-service/health': health,
  'todo-item-service/metrics': metrics,
  'todo-item-service/rate-limit': rateLimit,
  'todo-item-service/redis': redis,
  'todo-item-service/sqlite': sqlite,
  'todo-item-service/swagger-page': swaggerPage,
  'todo-item-service/todo': todo,
  'todo-item-service/uploads': uploads,
  'todo-item-service/verification': verification,
};
