import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { agoText } from '../../base/units.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { withTenants } from '../open.js';

export const command: CommandDetails = {
  commands: [
    {
      name: 'on',
      description: 'Refuse changes on every node, also after restarts, until "off"',
      examples: ['maintenance on'],
      run: (context) => turn(context, true),
    },
    {
      name: 'off',
      description: 'Take changes again',
      examples: ['maintenance off'],
      run: (context) => turn(context, false),
    },
    {
      name: 'status',
      description: 'Show whether changes are refused, and since when',
      examples: ['maintenance status', 'maintenance status --json'],
      run: async (context) => {
        const { readOnlySince } = await import('../../database/instance.js');
        show(context, await withTenants(context, ({ db }) => readOnlySince(db)));
      },
    },
  ],
};

async function turn(context: Context, on: boolean): Promise<void> {
  const { maintenanceKnownMs } = await import('../../http/maintenance.js');
  const since = await withTenants(context, ({ db }) => change(db, on));
  // Every node has asked when this ends.
  await delay(2 * maintenanceKnownMs, undefined, { signal: context.interrupted });
  show(context, since);
}

const change = async (db: DataSource, on: boolean): Promise<Date | null> => {
  const { setReadOnly } = await import('../../database/instance.js');
  const { noteAct } = await import('../../http/audit/acts.js');
  return db.transaction(async (tx) => {
    await noteAct(tx, { act: on ? 'maintenance.on' : 'maintenance.off' });
    return setReadOnly(tx, on);
  });
};

function show({ ui }: Context, since: Date | null): void {
  ui.result({
    document: { read_only_since: since?.toISOString() ?? null },
    text:
      since === null
        ? 'Changes are taken.'
        : `Changes are refused (503 maintenance) on every node; that began ${agoText(since.toISOString())}. Reading and signing in go on.`,
  });
}
