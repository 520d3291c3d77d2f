import {
  appendFile,
  chmod,
  mkdir,
  readFile,
  rename,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { dayMs } from '../../src/base/units.js';
import type { Fault } from './fault.js';

/** Faults of the machine, the home and the settings. */
export const faultsOfHomes: readonly Fault[] = [
  {
    what: 'images may take more memory than there is',
    check: 'memory',
    level: 'problem',
    says: /^Images may take 16 TB of .+ of memory/,
    cure: /config set imaging\.memory_mb \d+/,
    given: { args: ['--imaging-memory-mb', '16777216'] },
  },
  {
    what: 'more connections than files may be open',
    check: 'descriptors',
    level: 'warning',
    says: /1000000 connections need 3000256 open files; the limit is \d+/,
    cure: /LimitNOFILE=3000256.+ulimit -n 3000256/,
    given: { args: ['--limits-max-connections', '1000000'] },
  },
  {
    what: 'a disk that is full by the configured mark',
    check: 'disk',
    level: 'problem',
    says: /below 954 TB .+ uploads are refused, as now/,
    cure: /du -xh .+trash list/,
    given: { args: ['--limits-min-free-disk-mb', '1000000000'] },
  },
  {
    what: 'a clock that follows no time server',
    check: 'time-sync',
    level: 'warning',
    says: /follows no time server/,
    cure: /timedatectl set-ntp true/,
    inject: async ({ home }) => {
      const folder = join(home.dir, 'programs');
      await mkdir(folder);
      await writeFile(join(folder, 'timedatectl'), '#!/bin/sh\necho no\n', { mode: 0o755 });
      const env = { PATH: `${folder}:${process.env.PATH}` };
      return { undo: () => rm(folder, { recursive: true }), given: { env } };
    },
  },
  {
    what: 'a limit that refuses all pictures',
    check: 'formats',
    level: 'problem',
    says: /jpeg: image_too_large; .+heif: image_too_large/,
    cure: /config show .+limits\.max_megapixels/,
    given: { args: ['--limits-max-megapixels', '0.001'] },
  },
  {
    what: 'a part of the home that is missing',
    check: 'home',
    level: 'problem',
    says: /lacks .+\/incoming/,
    cure: /Mount it, .+ init --home/,
    inject: async ({ home }) => {
      await rename(home.incoming, `${home.incoming}.away`);
      return () => rename(`${home.incoming}.away`, home.incoming);
    },
  },
  {
    what: 'a mistyped setting',
    check: 'config',
    level: 'problem',
    says: /prot .+ unknown setting; did you mean port\?/s,
    cure: /config check/,
    inject: async ({ home }) => {
      const before = await readFile(home.configFile);
      await appendFile(home.configFile, '\nprot: 8081\n');
      return () => writeFile(home.configFile, before);
    },
  },
  {
    what: 'a mistyped variable',
    check: 'variables',
    level: 'warning',
    says: /IMGSTORE_PROT is not used; did you mean IMGSTORE_PORT\?/,
    cure: /help settings/,
    given: { env: { IMGSTORE_PROT: '8081' } },
  },
  {
    what: 'a master key that everybody can read',
    check: 'secrets',
    level: 'problem',
    says: /All users of this machine can access .+master\.key/,
    cure: /chmod o-rwx .+master\.key; .+keys rotate --revoke-old/,
    inject: async ({ home }) => {
      const key = join(home.secrets, 'master.key');
      await chmod(key, 0o644);
      return () => chmod(key, 0o600);
    },
    fixed: /Closed to other users: .+master\.key/,
  },
  {
    what: 'a password in a configuration that everybody can read',
    check: 'secrets',
    level: 'problem',
    says: /can access .+config\.yaml/,
    cure: /chmod o-rwx .+config\.yaml/,
    inject: async ({ home }) => {
      await chmod(home.configFile, 0o644);
      return () => chmod(home.configFile, 0o600);
    },
    fixed: /Closed to other users: .+config\.yaml/,
  },
  {
    what: 'a damaged master key',
    check: 'master-key',
    level: 'problem',
    says: /master\.key is damaged/,
    cure: /Restore the file from a backup/,
    inject: async ({ home }) => {
      const key = join(home.secrets, 'master.key');
      const before = await readFile(key);
      await writeFile(key, before.subarray(0, 20));
      return () => writeFile(key, before);
    },
  },
  {
    what: 'the master key of another installation',
    check: 'master-key',
    level: 'problem',
    says: /master key does not match the database/,
    cure: /Copy secrets\/master\.key from the home/,
    inject: async ({ home }) => {
      const key = join(home.secrets, 'master.key');
      const before = await readFile(key);
      await writeFile(key, Buffer.alloc(32, 7).toString('base64url'));
      return () => writeFile(key, before);
    },
  },
  {
    what: 'a time zone without a region',
    check: 'time-zone',
    level: 'warning',
    says: /time zone, GMT\+9, has no region, so all times are in UTC/,
    cure: /config set timezone/,
    given: { env: { TZ: 'GMT+9' }, alone: true },
  },
  {
    what: 'what an upload of the day before yesterday left',
    check: 'incoming',
    level: 'warning',
    says: /1 upload that ended more than a day ago/,
    cure: /find .+incoming.+-mtime \+0/,
    inject: async ({ home }) => {
      const left = join(home.incoming, 'upload-left');
      await mkdir(left);
      const then = new Date(Date.now() - 2 * dayMs);
      await utimes(left, then, then);
      return () => rm(left, { recursive: true, force: true });
    },
    fixed: /Removed what 1 upload left/,
  },
  {
    what: 'a log at the level debug',
    check: 'log-level',
    level: 'warning',
    says: /level of the log is debug/,
    cure: /config set log\.level info/,
    given: { args: ['--log-level', 'debug'] },
  },
  {
    what: 'a backup that is too old',
    check: 'backup',
    level: 'warning',
    says: /last backup was made 9 days ago/,
    cure: /imgstore backup \/srv\/kept --home/,
    inject: async ({ home }) => {
      const at = new Date(Date.now() - 9 * dayMs).toISOString();
      const file = home.backupRecords;
      const what = { repository: '/srv/kept', generation: 'g', objects: 1, bytes: 1 };
      await writeFile(file, JSON.stringify({ backup: { at, ...what }, drill: null }));
      return () => rm(file);
    },
  },
];
