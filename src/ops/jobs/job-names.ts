/** Every scheduled job; settings can disable some of them. */
export const jobNames = [
  'reclaim objects',
  'roll up statistics',
  'expire trash',
  'expire changes',
  'forget expired refresh tokens',
  'forget old page cursors',
  'forget old idempotency keys',
  'forget upload sets left open',
  'verify stored bytes',
  'forget old acts of administrators',
  'delete platforms',
] as const;

export type JobName = (typeof jobNames)[number];

/** The name of a job as it is typed. */
export const wordOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-');
