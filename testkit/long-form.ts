/**
 * Whether what takes long and rarely breaks is tested, too, as by `npm run test:long`, which runs every
 * test file that asks here.
 */
export const longForm = process.env.IMGSTORE_TEST_LONG === '1';
