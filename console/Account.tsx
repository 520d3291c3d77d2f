import { useEffect } from 'preact/hooks';
import { Menu } from './components/Menu';
import { call } from './core/api';
import { t } from './core/i18n';
import { onReturn } from './core/reach';
import { end } from './core/session';
import type { Session } from './core/session';
import { useRead } from './core/use-read';

/** Who is signed in, and the way out. */
export function Account({ session }: { readonly session: Session }) {
  const { data, problem, again } = useRead((signal) => nameOf(session, signal), [session]);
  useEffect(() => (problem === undefined ? undefined : onReturn(again)), [problem]);
  const name = data ?? t(`scope.${session.scope}`);
  const out = { label: t('action.signOut'), icon: 'out', act: () => end() } as const;
  return <Menu label={t('shell.account', { name })} text={name} icon="users" groups={[[out]]} />;
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
