import { useEffect, useState } from 'preact/hooks';
import { Dialog } from './components/Dialog';
import { Menu } from './components/Menu';
import { call } from './core/api';
import { t } from './core/i18n';
import { onReturn } from './core/reach';
import { go } from './core/router';
import type { Session } from './core/session';
import { thrownAway } from './core/unsent';
import type { Unfinished } from './core/unsent';
import { signOut } from './core/staying';
import { useRead } from './core/use-read';
import { SaveForm } from './components/SaveForm';
import { UnsentNames } from './Unsent';

/** Who is signed in, and the way out. */
export function Account({ session }: { readonly session: Session }) {
  const { data, problem, again } = useRead((signal) => nameOf(session, signal), [session]);
  useEffect(() => (problem === undefined ? undefined : onReturn(again)), [problem]);
  const whose = data ?? t(`scope.${session.scope}`);
  const name = session.name ? `${session.name} · ${whose}` : whose;
  const [left, setLeft] = useState<readonly Unfinished[]>([]);
  const leave = async (): Promise<void> => {
    const found = await thrownAway();
    if (found.length > 0) setLeft(found);
    else await signOut(session);
  };
  const out = { label: t('action.signOut'), icon: 'out', act: () => void leave() } as const;
  const devices = { label: t('sessions.page'), icon: 'phone', act: () => go('/sessions') } as const;
  const items = session.scope === 'user' ? [devices, out] : [out];
  return (
    <>
      <Menu label={t('shell.account', { name })} text={name} icon="users" groups={[items]} />
      {left.length > 0 && (
        <Dialog title={t('signOut.title')} onClose={() => setLeft([])}>
          <SaveForm
            danger
            label={t('action.signOut')}
            save={() => signOut(session)}
            onCancel={() => setLeft([])}
          >
            <UnsentNames left={left} />
            <p>{t('signOut.lost')}</p>
          </SaveForm>
        </Dialog>
      )}
    </>
  );
}

/** The name of the token's user or platform; undefined for an administrator. @throws Problem. */
async function nameOf(
  { platformId: platform_id = '', userId: user_id = '', scope }: Session,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (scope === 'platform') {
    const params = { path: { platform_id } };
    const { platform } = await call((client) =>
      client.GET('/api/v1/platforms/{platform_id}', { params, signal }),
    );
    return platform;
  }
  if (scope === 'admin') return undefined;
  const params = { path: { user_id } };
  const { platform_user_id } = await call((client) =>
    client.GET('/api/v1/users/{user_id}', { params, signal }),
  );
  return platform_user_id;
}
