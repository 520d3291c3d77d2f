import { connectionsWithin, filesFor, openFilesLimit } from '../../../base/os/machine.js';
import { ok, warning, type Check } from '../check.js';

export const descriptors: Check = {
  name: 'descriptors',
  title: 'The limit of open files is high enough for the connections',
  category: 'machine',
  run: async (context) => {
    const { 'limits.max_connections': connections } = await context.config();
    const holder = await context.service.get().catch(() => undefined);
    const limit = openFilesLimit(holder?.pid) ?? openFilesLimit() ?? Infinity;
    const needed = filesFor(connections);
    if (needed <= limit) return ok(`${limit} files may be open; at most ${needed} are needed.`);
    return warning(
      `${connections} connections (limits.max_connections) need ${needed} open files; the limit is ${limit}.`,
      `Raise the limit (LimitNOFILE=${needed} in the unit, or "ulimit -n ${needed}" in the shell before serve), or: ${context.command('config', 'set', 'limits.max_connections', String(connectionsWithin(limit)))}`,
    );
  },
};
