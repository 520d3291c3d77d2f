import { useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { Card } from '../../components/Card';
import { Check } from '../../components/Check';
import { ConfirmButton } from '../../components/ConfirmDialog';
import { DescriptionList } from '../../components/DescriptionList';
import { Dialog } from '../../components/Dialog';
import { ErrorNote } from '../../components/ErrorNote';
import { Field } from '../../components/Field';
import { SaveForm } from '../../components/SaveForm';
import { TextArea } from '../../components/TextArea';
import { time } from '../../core/amounts';
import { asJson, call } from '../../core/api';
import type { components } from '../../core/api';
import { t } from '../../core/i18n';
import { Problem } from '../../core/problem';
import { useRead } from '../../core/use-read';
import { allowed, AllowChecks, allowInWords, isAllowed } from './allow';
import type { Allowed } from './allow';

type Identity = components['schemas']['Identity'];

const path = '/api/v1/platforms/{platform_id}/identity';

/** Undefined for a platform without one. @throws Problem. */
const readIdentity = (platform_id: string, signal: AbortSignal): Promise<Identity | undefined> =>
  call((client) => client.GET(path, { params: { path: { platform_id } }, signal })).catch(
    (problem: unknown) => {
      if (problem instanceof Problem && problem.code === 'identity_not_found') return undefined;
      throw problem;
    },
  );

/** The identity provider of a platform, whose tokens its users may sign in with. */
export function IdentityOf({ platform }: { readonly platform: string }) {
  const [asked, setAsked] = useState(false);
  const read = useRead(
    async (signal) => ({ identity: await readIdentity(platform, signal) }),
    [platform],
  );
  const identity = read.data?.identity;
  return (
    <Card
      title={t('identity.title')}
      actions={
        read.data && (
          <Button icon={identity ? 'edit' : 'plus'} onClick={() => setAsked(true)}>
            {t(identity ? 'identity.change' : 'identity.set')}
          </Button>
        )
      }
    >
      <p class="hint">{t('identity.about')}</p>
      <ErrorNote problem={read.problem} onRetry={read.again} />
      {read.data && !identity && <p class="muted">{t('identity.none')}</p>}
      {identity && (
        <>
          <DescriptionList items={inWords(identity)} />
          <div>
            <ConfirmButton
              title={t('identity.removeTitle')}
              text={t('identity.removeText')}
              label={t('identity.remove')}
              act={async () => {
                const params = { path: { platform_id: platform } };
                await call((client) => client.DELETE(path, { params }));
                read.again();
              }}
            />
          </div>
        </>
      )}
      {asked && (
        <SetIdentity
          platform={platform}
          before={identity}
          onClose={(done) => {
            setAsked(false);
            if (done) read.again();
          }}
        />
      )}
    </Card>
  );
}

const inWords = (identity: Identity): (readonly [string, string])[] => [
  [t('identity.issuer'), identity.issuer],
  [t('identity.audience'), identity.audience],
  [
    t('identity.keys'),
    identity.jwks_url ?? t('identity.given', { count: identity.jwks?.keys.length ?? 0 }),
  ],
  [t('identity.claim'), identity.user_claim],
  [t('identity.newUsers'), t(identity.create_users ? 'identity.made' : 'identity.refused')],
  [t('narrow.allow'), allowInWords(identity.allow)],
  [t('identity.since'), time(identity.updated_at)],
];

interface SetIdentityProps {
  readonly platform: string;
  /** The one that it replaces. */
  readonly before: Identity | undefined;
  readonly onClose: (done: boolean) => void;
}

/** Asks for all of it: what is set replaces what was. */
function SetIdentity({ platform: platform_id, before, onClose }: SetIdentityProps) {
  const [issuer, setIssuer] = useState(before?.issuer ?? '');
  const [audience, setAudience] = useState(before?.audience ?? '');
  const [keys, setKeys] = useState(
    before?.jwks_url ?? (before?.jwks ? JSON.stringify(before.jwks) : ''),
  );
  const [claim, setClaim] = useState(before?.user_claim ?? 'sub');
  const [creates, setCreates] = useState(before?.create_users ?? false);
  const [allow, setAllow] = useState<readonly Allowed[]>(
    before?.allow.filter(isAllowed) ?? allowed.user,
  );
  const save = async (): Promise<void> => {
    const body = {
      issuer: issuer.trim(),
      audience: audience.trim(),
      ...keysIn(keys),
      user_claim: claim.trim(),
      create_users: creates ? ('True' as const) : ('False' as const),
      allow: [...allow],
    };
    await call((client) =>
      client.PUT(path, { params: { path: { platform_id } }, body, ...asJson }),
    );
    onClose(true);
  };
  return (
    <Dialog title={t('identity.title')} onClose={() => onClose(false)}>
      <SaveForm save={save} onCancel={() => onClose(false)}>
        <Field
          label={t('identity.issuer')}
          value={issuer}
          onInput={setIssuer}
          hint={t('identity.issuerHint')}
          required
          autoFocus
        />
        <Field
          label={t('identity.audience')}
          value={audience}
          onInput={setAudience}
          hint={t('identity.audienceHint')}
          required
        />
        <TextArea
          label={t('identity.keys')}
          value={keys}
          onInput={setKeys}
          hint={t('identity.keysHint')}
          required
        />
        <Field
          label={t('identity.claim')}
          value={claim}
          onInput={setClaim}
          hint={t('identity.claimHint')}
          required
        />
        <Check label={t('identity.creates')} checked={creates} onChange={setCreates} />
        <AllowChecks of="user" allow={allow} onChange={setAllow} />
      </SaveForm>
    </Dialog>
  );
}

/** The address of a key set, or a key set. @throws Problem. */
function keysIn(typed: string): { jwks_url: string } | { jwks: Record<string, unknown> } {
  if (!typed.trim().startsWith('{')) return { jwks_url: typed.trim() };
  try {
    return { jwks: JSON.parse(typed) as Record<string, unknown> };
  } catch {
    throw new Problem('no_json', t('identity.noJson'));
  }
}
