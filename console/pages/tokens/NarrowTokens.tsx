import { useState } from 'preact/hooks';
import { Card } from '../../components/Card';
import { ConfirmButton } from '../../components/ConfirmDialog';
import { CreateButton } from '../../components/CreateButton';
import { ErrorNote } from '../../components/ErrorNote';
import { Field } from '../../components/Field';
import { CreateDialog } from '../../components/Secrets';
import { day } from '../../core/amounts';
import { call } from '../../core/api';
import type { components } from '../../core/api';
import { t } from '../../core/i18n';
import { session } from '../../core/session';
import { useRead } from '../../core/use-read';
import { AllowChecks, allowInWords } from './allow';
import type { Allowed } from './allow';
import { IdentityOf } from './Identity';

/** The tokens of who is signed in: a user, or a platform, whose users may sign in with its own. */
export default function TokensPage() {
  const { userId, platformId = '' } = session.value ?? {};
  return (
    <>
      <h1>{t('narrow.page')}</h1>
      {userId === undefined ? (
        <>
          <NarrowTokens owner={{ kind: 'platform', id: platformId }} />
          <IdentityOf platform={platformId} />
        </>
      ) : (
        <NarrowTokens owner={{ kind: 'user', id: userId }} />
      )}
    </>
  );
}

type NarrowToken = components['schemas']['NarrowToken'];

/** Whose tokens they are. */
export interface TokenOwner {
  readonly kind: 'user' | 'platform';
  readonly id: string;
}

interface NewToken {
  readonly name: string;
  readonly allow: Allowed[];
  readonly expires_in_days: number;
}

const ofUser = '/api/v1/users/{user_id}/tokens';
const ofPlatform = '/api/v1/platforms/{platform_id}/tokens';

const readTokens = ({ kind, id }: TokenOwner, signal: AbortSignal): Promise<NarrowToken[]> =>
  kind === 'user'
    ? call((client) => client.GET(ofUser, { params: { path: { user_id: id } }, signal }))
    : call((client) => client.GET(ofPlatform, { params: { path: { platform_id: id } }, signal }));

async function createToken({ kind, id }: TokenOwner, body: NewToken): Promise<string> {
  const { access_token } = await (kind === 'user'
    ? call((client) => client.POST(ofUser, { params: { path: { user_id: id } }, body }))
    : call((client) => client.POST(ofPlatform, { params: { path: { platform_id: id } }, body })));
  return access_token;
}

const revokeToken = ({ kind, id }: TokenOwner, token_id: string): Promise<NarrowToken> =>
  kind === 'user'
    ? call((client) =>
        client.DELETE(`${ofUser}/{token_id}`, { params: { path: { user_id: id, token_id } } }),
      )
    : call((client) =>
        client.DELETE(`${ofPlatform}/{token_id}`, {
          params: { path: { platform_id: id, token_id } },
        }),
      );

/** Tokens that can do no more than they say: they are made, listed and revoked here, and shown once. */
export function NarrowTokens({ owner }: { readonly owner: TokenOwner }) {
  const { data, problem, again } = useRead(
    (signal) => readTokens(owner, signal),
    [owner.kind, owner.id],
  );
  const create = (
    <CreateButton variant="plain" label={t('narrow.create')} onCreated={again}>
      {(onClose) => <CreateToken owner={owner} onClose={onClose} />}
    </CreateButton>
  );
  return (
    <Card title={t('narrow.title')} actions={create}>
      <p class="hint">{t('narrow.about')}</p>
      <ErrorNote problem={problem} onRetry={again} />
      {data?.length === 0 && <p class="muted">{t('narrow.none')}</p>}
      {data && data.length > 0 && (
        <ul class="entries">
          {data.map((token) => (
            <li key={token.id} class="entry" aria-label={token.name}>
              <div class="entry-what">
                <p class="entry-title">{token.name}</p>
                <p class="hint">{inWords(token)}</p>
              </div>
              <ConfirmButton
                title={t('narrow.revokeTitle', { name: token.name })}
                text={t('narrow.revokeText')}
                label={t('narrow.revoke')}
                act={async () => {
                  await revokeToken(owner, token.id);
                  again();
                }}
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

const inWords = ({ allow, expires_at, last_used_at: used, created_by: by }: NarrowToken): string =>
  [
    allowInWords(allow),
    t('links.openUntil', { time: day(expires_at) }),
    used === null ? t('narrow.unused') : t('narrow.used', { day: day(used) }),
    t('narrow.by', { name: t(`actor.${by}`) }),
  ].join('\u00a0· ');

const firstDays = 90;

interface CreateTokenProps {
  readonly owner: TokenOwner;
  readonly onClose: (created: boolean) => void;
}

function CreateToken({ owner, onClose }: CreateTokenProps) {
  const [allow, setAllow] = useState<readonly Allowed[]>(['read']);
  const [days, setDays] = useState(String(firstDays));
  return (
    <CreateDialog
      title={t('narrow.create')}
      label={t('narrow.name')}
      hint={t('narrow.nameHint')}
      create={async (name) => {
        const wanted = { name, allow: [...allow], expires_in_days: Number(days) };
        return [[t('tokens.access'), await createToken(owner, wanted)]];
      }}
      onClose={onClose}
    >
      <AllowChecks of={owner.kind} allow={allow} onChange={setAllow} />
      <Field
        type="number"
        label={t('narrow.days')}
        value={days}
        onInput={setDays}
        hint={t('narrow.daysHint')}
        required
      />
    </CreateDialog>
  );
}
