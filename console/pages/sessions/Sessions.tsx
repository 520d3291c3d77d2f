import { useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { Card } from '../../components/Card';
import { ConfirmDialog } from '../../components/ConfirmDialog';
import { ErrorNote } from '../../components/ErrorNote';
import { time } from '../../core/amounts';
import { call } from '../../core/api';
import type { components } from '../../core/api';
import { t } from '../../core/i18n';
import { session } from '../../core/session';
import { signOut } from '../../core/staying';
import { useRead } from '../../core/use-read';

type Device = components['schemas']['Session'];

/** Where the user who is signed in is signed in, too. */
export default function OwnSessions() {
  return (
    <>
      <h1>{t('sessions.page')}</h1>
      <Sessions user={session.value?.userId ?? ''} />
    </>
  );
}

const ofUser = '/api/v1/users/{user_id}/sessions';

const isHere = ({ id }: Device): boolean => id === session.value?.id;

interface SessionsProps {
  readonly user: string;
  /** Reads them again when it changes. */
  readonly turn?: number;
}

/** The devices on which a user is signed in to the console, each of which can be ended from here. */
export function Sessions({ user: user_id, turn }: SessionsProps) {
  const [ending, setEnding] = useState<Device | 'all'>();
  const path = { user_id };
  const { data, problem, again } = useRead(
    (signal) => call((client) => client.GET(ofUser, { params: { path }, signal })),
    [user_id, turn],
  );
  const end = async (which: Device | 'all'): Promise<void> => {
    if (which === 'all') {
      await call((client) => client.DELETE(ofUser, { params: { path } }));
      const { value: current } = session;
      if (current && data?.some(isHere)) return signOut(current);
    } else {
      const params = { path: { ...path, session_id: which.id } };
      await call((client) => client.DELETE(`${ofUser}/{session_id}`, { params }));
    }
    setEnding(undefined);
    again();
  };
  const all = data && data.length > 1 && (
    <Button onClick={() => setEnding('all')}>{t('sessions.endAll')}</Button>
  );
  return (
    <Card title={t('sessions.title')} actions={all}>
      <ErrorNote problem={problem} onRetry={again} />
      {data?.length === 0 && <p class="muted">{t('sessions.none')}</p>}
      {data && data.length > 0 && (
        <ul class="entries">
          {data.map((device) => (
            <Entry key={device.id} device={device} onEnd={() => setEnding(device)} />
          ))}
        </ul>
      )}
      {ending && (
        <ConfirmDialog
          title={
            ending === 'all'
              ? t('sessions.endAllTitle')
              : t('sessions.endTitle', { device: ending.device })
          }
          text={t(
            ending === 'all' && data?.some(isHere) ? 'sessions.endHereText' : 'sessions.endText',
          )}
          label={t('action.signOut')}
          act={() => end(ending)}
          onClose={() => setEnding(undefined)}
        />
      )}
    </Card>
  );
}

interface EntryProps {
  readonly device: Device;
  readonly onEnd: () => void;
}

/** Whoever sits at this device has "Sign out" for it, which says what would be lost here. */
const Entry = ({ device, onEnd }: EntryProps) => (
  <li class="entry" aria-label={device.device}>
    <div class="entry-what">
      <p class="entry-title">
        {device.device}
        {isHere(device) && <span class="tag">{t('sessions.here')}</span>}
      </p>
      <p class="hint">
        {[
          t('sessions.used', { time: time(device.last_used_at) }),
          t('sessions.since', { time: time(device.created_at) }),
        ].join('\u00a0· ')}
      </p>
    </div>
    {!isHere(device) && <Button onClick={onEnd}>{t('sessions.end')}</Button>}
  </li>
);
