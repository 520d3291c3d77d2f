/**
 * Whether what takes long and rarely breaks is tested, too: `npm run upgrade:test` has it so, and then
 * upgrades in a Debian of its own.
 */
export const longForm = process.env.IMGSTORE_TEST_LONG === '1';
