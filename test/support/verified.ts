/** A plugin file: with it the service checks each reply of an operation against its declaration. */
export { verification as default } from '../../src/testing.ts';
