import { after } from 'node:test';
import { testService } from './service.js';
import type { TestService } from './service.js';

let shared: Promise<TestService> | undefined;

/**
 * The service of all test files in this process, with no settings of their own: the test runner gathers
 * the files that ask for it. They leave it as they found it, and look only at what is of users and
 * platforms that they have created.
 */
export const sharedService = (): Promise<TestService> => (shared ??= testService({ after }));
