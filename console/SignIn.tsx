import { useState } from 'preact/hooks';
import { Button } from './components/Button';
import { Check } from './components/Check';
import { ErrorNote } from './components/ErrorNote';
import { Field } from './components/Field';
import { t } from './core/i18n';
import { serviceSettings } from './core/service';
import { begin, ended, sessionOf } from './core/session';
import { useRead } from './core/use-read';
import { Preferences } from './Preferences';
import { choices, followLink, linkProblem, offered } from './sign-in-link';
import { Unsent } from './Unsent';

/** Asks for a token, unless a link or an office account brings one. The first request shows whether it works. */
export function SignIn() {
  const [pasted, setPasted] = useState('');
  const [error, setError] = useState<string>();
  const office = useRead(() => serviceSettings(), []).data?.office;
  const submit = (event: Event): void => {
    event.preventDefault();
    const next = sessionOf(pasted);
    if (!next) setError(t('signIn.noToken'));
    else if (next.expiresAt <= Date.now()) setError(t('signIn.expiredToken'));
    else begin(next);
  };
  return (
    <div class="sign-in">
      <header class="sign-in-bar">
        <Preferences />
      </header>
      <main>
        <h1>imgstore</h1>
        <ErrorNote problem={linkProblem.value} onRetry={() => void followLink()} />
        {ended.value && <p role="status">{t(`signIn.${ended.value}`)}</p>}
        {ended.value === 'left' && office && (
          <a href={office.exit} target="_self">
            {t('signIn.leave', { provider: office.provider })}
          </a>
        )}
        <Unsent />
        <Choices />
        {office && (
          // With a target: it leads out of the console, whose router must leave it to the browser.
          <a class="button primary" href={office.url} target="_self">
            {t('signIn.with', { provider: office.provider })}
          </a>
        )}
        {offered.value ? (
          <Offer />
        ) : (
          <form onSubmit={submit}>
            <Field
              label={t('signIn.token')}
              type="password"
              value={pasted}
              onInput={(text) => {
                setPasted(text);
                setError(undefined);
              }}
              hint={t('signIn.hint')}
              error={error}
              required
              autoFocus
            />
            <Button type="submit" variant={office ? 'plain' : 'primary'}>
              {t('action.signIn')}
            </Button>
          </form>
        )}
      </main>
    </div>
  );
}

/** Whoever may sign in to several platforms says to which. */
function Choices() {
  if (choices.value.length === 0) return null;
  return (
    <section class="choices" aria-labelledby="choices">
      <h2 id="choices">{t('signIn.choose')}</h2>
      {choices.value.map(({ id, name }) => (
        <Button key={id} onClick={() => void followLink({ platform: id })}>
          {name}
        </Button>
      ))}
    </section>
  );
}

/** Signs a user in with the link that was opened. */
function Offer() {
  const [stays, setStays] = useState(true);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void followLink({ stays });
      }}
    >
      <Check label={t('signIn.stay')} checked={stays} onChange={setStays} />
      <Button type="submit" variant="primary">
        {t('action.signIn')}
      </Button>
    </form>
  );
}
