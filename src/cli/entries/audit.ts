import { Option } from 'commander';
import type { Entry } from '../entry.js';

export const audit: Entry = {
  name: 'audit',
  description: 'Show who did what, and with which token',
  options: [
    new Option('--platform <id>', 'Only what concerns this platform, even if deleted'),
    new Option('--user <id>', 'Only what concerns this user, even if deleted'),
    new Option('--since <when>', 'A date, or a span: 90m, 12h, 7d'),
    new Option('--limit <n>', 'The newest, up to 100000').default('100'),
  ],
  examples: ['audit', 'audit --since 7d --json', 'audit --user USER_ID --limit 1000'],
  load: async () => (await import('../commands/audit.js')).showAudit,
};
