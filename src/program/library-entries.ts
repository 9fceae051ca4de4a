/** Each public entry, by the name that a plugin file imports (D80). */

export * as 'todo-item-service/extending' from '../extending.ts';
export * as 'todo-item-service/access-log' from '../extensions/access-log/access-log.ts';
export * as 'todo-item-service/allowed-methods' from '../extensions/allowed-methods/allowed-methods.ts';
export * as 'todo-item-service/authentication' from '../extensions/authentication/authentication.ts';
export * as 'todo-item-service/collection' from '../extensions/collection/collection.ts';
export * as 'todo-item-service/cors' from '../extensions/cors/cors.ts';
export * as 'todo-item-service/description' from '../extensions/description/description.ts';
export * as 'todo-item-service/events' from '../extensions/events/events.ts';
export * as 'todo-item-service/files' from '../extensions/files/files.ts';
export * as 'todo-item-service/health' from '../extensions/health/health.ts';
export * as 'todo-item-service/metrics' from '../extensions/metrics/metrics.ts';
export * as 'todo-item-service/rate-limit' from '../extensions/rate-limit/rate-limit.ts';
export * as 'todo-item-service/redis' from '../extensions/redis/redis-store.ts';
export * as 'todo-item-service/sqlite' from '../extensions/sqlite/sqlite-store.ts';
export * as 'todo-item-service/swagger-page' from '../extensions/swagger-page/swagger-page.ts';
export * as 'todo-item-service/todo' from '../extensions/todo/todo.ts';
export * as 'todo-item-service/trace' from '../extensions/trace/trace.ts';
export * as 'todo-item-service/uploads' from '../extensions/uploads/upload.ts';
export * as 'todo-item-service/verification' from '../extensions/verification/verification.ts';
export * as 'todo-item-service/http' from '../http.ts';
export * as 'todo-item-service' from '../index.ts';
export * as 'todo-item-service/instrument' from '../instrument.ts';
export * as 'todo-item-service/operations' from '../operations.ts';
export * as 'todo-item-service/routing' from '../routing.ts';
export * as 'todo-item-service/testing' from '../testing.ts';
