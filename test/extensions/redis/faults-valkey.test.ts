/** What a valkey-server's clients are told while it fails (D85). */
import { ENGINES } from '../../support/lasting-stores.ts';
import { testFaults } from './faults.suite.ts';

if (ENGINES.includes('valkey-server')) testFaults('valkey-server');
