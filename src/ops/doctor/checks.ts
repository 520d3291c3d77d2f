import type { Check } from './check.js';
import { backup } from './checks/backup.js';
import { bloat } from './checks/bloat.js';
import { certificate } from './checks/certificate.js';
import { clockDatabase } from './checks/clock-database.js';
import { clockStore } from './checks/clock-store.js';
import { collation } from './checks/collation.js';
import { config } from './checks/config.js';
import { connections } from './checks/connections.js';
import { cpu } from './checks/cpu.js';
import { database } from './checks/database.js';
import { descriptors } from './checks/descriptors.js';
import { disk } from './checks/disk.js';
import { durability } from './checks/durability.js';
import { extensions } from './checks/extensions.js';
import { fileSystem } from './checks/file-system.js';
import { formats } from './checks/formats.js';
import { home } from './checks/home.js';
import { incoming } from './checks/incoming.js';
import { indexes } from './checks/indexes.js';
import { inodes } from './checks/inodes.js';
import { jobs } from './checks/jobs.js';
import { logLevel } from './checks/log-level.js';
import { masterKey } from './checks/master-key.js';
import { memory } from './checks/memory.js';
import { migrations } from './checks/migrations.js';
import { node } from './checks/node.js';
import { owners } from './checks/owners.js';
import { port } from './checks/port.js';
import { proxy } from './checks/proxy.js';
import { publicUrl } from './checks/public-url.js';
import { reclaim } from './checks/reclaim.js';
import { replicas } from './checks/replicas.js';
import { sandbox } from './checks/sandbox.js';
import { secrets } from './checks/secrets.js';
import { sentinel } from './checks/sentinel.js';
import { service } from './checks/service.js';
import { storeListing } from './checks/store-listing.js';
import { storeMove } from './checks/store-move.js';
import { store } from './checks/store.js';
import { timeSync } from './checks/time-sync.js';
import { timeZone } from './checks/time-zone.js';
import { trash } from './checks/trash.js';
import { variables } from './checks/variables.js';
import { wal } from './checks/wal.js';
import { webhooks } from './checks/webhooks.js';

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
  storeMove,
  clockStore,
  service,
  port,
  publicUrl,
  certificate,
  proxy,
  backup,
  wal,
  jobs,
  reclaim,
  trash,
  incoming,
  webhooks,
  logLevel,
];
