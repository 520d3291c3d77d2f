import type { DataSource } from 'typeorm';
import { Keyring } from '../http/auth/keyring.js';
import type { MasterKey } from '../http/auth/secrets.js';
import { ForeignTokens } from '../http/auth/foreign-tokens.js';
import { Identities } from '../http/auth/identities.js';
import { KeySets } from '../http/auth/key-sets.js';
import { NarrowTokens } from '../http/auth/narrow-tokens.js';
import { Tokens } from '../http/auth/tokens.js';
import type { Config } from '../base/config/options.js';
import { Sessions } from '../http/auth/sessions.js';
import { ConsoleSignIn } from '../http/auth/sign-in.js';
import { ServiceError } from '../base/errors/catalogue.js';
import { readOnlySince } from '../database/instance.js';
import { JoiningDatabase } from '../database/joint-transaction.js';
import { resolveName, Targets } from '../http/outgoing.js';
import { Pages } from '../http/paging/pages.js';
import { Holds } from '../library/holds/holds.js';
import { Links } from '../library/links/links.js';
import { Platforms } from '../library/platforms/platforms.js';
import { PlatformLimits } from '../library/quota/platform-limits.js';
import { Usage } from '../library/quota/usage.js';
import { WallClock } from '../base/time.js';
import { toBytes } from '../base/units.js';
import { Users } from '../library/users/users.js';
import { Proofs } from '../feed/custody/proofs.js';
import { Webhooks } from '../feed/webhooks/webhooks.js';

/**
 * Tenants and their tokens. Most commands need no more, and start faster without HTTP and imaging.
 */
export type Tenants = Readonly<ReturnType<typeof wireTenants>>;

export function wireTenants(db: DataSource, config: Config, master: MasterKey) {
  const clock = new WallClock(config.timezone);
  const keyring = new Keyring(db, master);
  const storage = toBytes(config['limits.default_user_storage_mb']);
  const limits = new PlatformLimits(db);
  const joining = new JoiningDatabase(db);
  const pages = new Pages(master.cursorKey());
  const targets = new Targets('identity', config);
  const foreignTokens: ForeignTokens = new ForeignTokens({
    db,
    keySets: new KeySets({ targets, resolve: resolveName }),
    createUser: async (platformId, name, since) => {
      if ((await readOnlySince(db)) !== null) {
        throw new ServiceError('unavailable', { message: 'No new users during maintenance.' });
      }
      return (await users.create(platformId, name, { withTokens: false, since })).user_id;
    },
  });
  const tokens = new Tokens(db, keyring, config, foreignTokens);
  const sessions = new Sessions(joining, tokens, clock);
  const users: Users = new Users(joining, tokens, clock, storage, limits);
  return {
    keyring,
    tokens,
    narrowTokens: new NarrowTokens(joining, tokens, clock),
    foreignTokens,
    identities: new Identities({ db: joining, clock, targets }),
    sessions,
    consoleSignIn: new ConsoleSignIn(db, tokens, sessions, master),
    limits,
    clock,
    pages,
    platforms: new Platforms(joining, tokens, clock, limits),
    users,
    webhooks: new Webhooks({
      db: joining,
      master,
      clock,
      targets: new Targets('webhooks', config),
    }),
    holds: new Holds({ db: joining, pages, clock }),
    proofs: new Proofs(db),
    links: new Links({
      db: joining,
      usage: new Usage(joining),
      pages,
      clock,
      master,
      maxDays: config['links.max_days'],
    }),
  };
}
