/**
 * SQL: whether the platform of a webhook is not suspended. While it is suspended, deliveries wait.
 * @param webhook alias of the table.
 */
export const ofActivePlatform = (webhook: string): string => `NOT EXISTS (
  SELECT FROM platforms p WHERE p.id = ${webhook}.platform_id AND p.suspended_at IS NOT NULL
)`;
