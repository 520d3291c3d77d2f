import type { DataSource } from 'typeorm';
import { Keyring } from '../http/auth/keyring.js';
import type { MasterKey } from '../http/auth/secrets.js';
import { NarrowTokens } from '../http/auth/narrow-tokens.js';
import { Tokens } from '../http/auth/tokens.js';
import type { Config } from '../base/config/options.js';
import { ConsoleSignIn } from '../http/auth/sign-in.js';
import { JoiningDatabase } from '../database/joint-transaction.js';
import { Pages } from '../http/paging/pages.js';
import { Holds } from '../library/holds/holds.js';
import { Links } from '../library/links/links.js';
import { Platforms } from '../library/platforms/platforms.js';
import { PlatformLimits } from '../library/quota/platform-limits.js';
import { Usage } from '../library/quota/usage.js';
import { WallClock } from '../base/time.js';
import { toBytes } from '../base/units.js';
import { Users } from '../library/users/users.js';
import { Webhooks } from '../feed/webhooks/webhooks.js';
import { Targets } from '../feed/webhooks/target.js';

/**
 * Tenants and their tokens. Most commands need no more, and start faster without HTTP and imaging.
 */
export interface Tenants {
  readonly keyring: Keyring;
  readonly tokens: Tokens;
  readonly narrowTokens: NarrowTokens;
  readonly consoleSignIn: ConsoleSignIn;
  readonly platforms: Platforms;
  readonly users: Users;
  readonly webhooks: Webhooks;
  readonly links: Links;
  readonly holds: Holds;
  readonly limits: PlatformLimits;
  readonly clock: WallClock;
  readonly pages: Pages;
}

export function wireTenants(db: DataSource, config: Config, master: MasterKey): Tenants {
  const clock = new WallClock(config.timezone);
  const keyring = new Keyring(db, master);
  const tokens = new Tokens(db, keyring, config);
  const storage = toBytes(config['limits.default_user_storage_mb']);
  const limits = new PlatformLimits(db);
  const joining = new JoiningDatabase(db);
  const pages = new Pages(master.cursorKey());
  return {
    keyring,
    tokens,
    narrowTokens: new NarrowTokens(joining, tokens, clock),
    consoleSignIn: new ConsoleSignIn(db, tokens, master),
    limits,
    clock,
    pages,
    platforms: new Platforms(joining, tokens, clock, limits),
    users: new Users(joining, tokens, clock, storage, limits),
    webhooks: new Webhooks({
      db: joining,
      master,
      clock,
      targets: new Targets(config),
    }),
    holds: new Holds({ db: joining, pages, clock }),
    links: new Links({
      db: joining,
      usage: new Usage(joining),
      pages,
      clock,
      maxDays: config['links.max_days'],
    }),
  };
}
