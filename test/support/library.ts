/** Exports all public names together, so that a test can check each of them. */

export * from '../../src/extending.ts';
export * from '../../src/extensions/authentication/authentication.ts';
export * from '../../src/extensions/collection/collection.ts';
export * from '../../src/extensions/description/description.ts';
export * from '../../src/extensions/events/events.ts';
export * from '../../src/extensions/files/files.ts';
export * from '../../src/extensions/monitoring/monitoring.ts';
export * from '../../src/extensions/redis/redis-store.ts';
export * from '../../src/extensions/sqlite/sqlite-store.ts';
export * from '../../src/extensions/swagger-page/swagger-page.ts';
export * from '../../src/extensions/todo/todo.ts';
export * from '../../src/extensions/uploads/upload.ts';
export * from '../../src/http.ts';
export * from '../../src/index.ts';
export * from '../../src/testing.ts';
