/**
 * Whether to test also what takes long and rarely breaks. `npm run test:long` sets this and runs every
 * test file that imports it.
 */
export const longForm = process.env.IMGSTORE_TEST_LONG === '1';

/** Options of a test that only the long form runs. */
export const longOnly = { skip: !longForm };
