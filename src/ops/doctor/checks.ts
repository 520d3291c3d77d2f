import type { Check } from './check.js';
import { backup, wal } from './checks/backup.js';
import { bloat, clockDatabase, connections, database, durability } from './checks/database.js';
import { fileSystem, home, owners } from './checks/home.js';
import { formats, sandbox } from './checks/imaging.js';
import { identities, signIn } from './checks/identities.js';
import { cpu, descriptors, disk, inodes, memory, node, timeSync } from './checks/machine.js';
import { collation, extensions, indexes, migrations } from './checks/schema.js';
import { certificate, port, proxy, publicUrl, service } from './checks/service.js';
import { config, masterKey, secrets, timeZone, variables } from './checks/settings.js';
import { hosts, replicas } from './checks/standbys.js';
import {
  clockStore,
  legalHolds,
  sentinel,
  store,
  storeCors,
  storeListing,
  storeMove,
} from './checks/store.js';
import {
  feed,
  incoming,
  jobs,
  logLevel,
  maintenance,
  reclaim,
  timeStamps,
  trash,
  webhooks,
} from './checks/upkeep.js';

/** Every check, in the order in which they are shown. */
export const checks: readonly Check[] = [
  node,
  cpu,
  memory,
  descriptors,
  disk,
  inodes,
  timeSync,
  formats,
  sandbox,
  home,
  config,
  variables,
  secrets,
  masterKey,
  owners,
  fileSystem,
  timeZone,
  database,
  hosts,
  migrations,
  indexes,
  extensions,
  collation,
  durability,
  connections,
  bloat,
  replicas,
  clockDatabase,
  store,
  sentinel,
  storeListing,
  legalHolds,
  storeCors,
  storeMove,
  clockStore,
  service,
  port,
  publicUrl,
  certificate,
  proxy,
  signIn,
  backup,
  wal,
  maintenance,
  jobs,
  reclaim,
  trash,
  incoming,
  webhooks,
  identities,
  timeStamps,
  feed,
  logLevel,
];
