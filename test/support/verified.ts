/** A plugin file. It lets the service check each reply of an operation against its declaration. */
export { verification as default } from '../../src/testing.ts';
