import { useState } from 'preact/hooks';
import { Button } from './components/Button';
import { ErrorNote } from './components/ErrorNote';
import { Field } from './components/Field';
import { t } from './core/i18n';
import { begin, ended, sessionOf } from './core/session';
import { Preferences } from './Preferences';
import { followLink, linkProblem } from './sign-in-link';
import { Unsent } from './Unsent';

/** Asks for a token, unless a link brings one. The first request shows whether it works. */
export function SignIn() {
  const [pasted, setPasted] = useState('');
  const [error, setError] = useState<string>();
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
        <Unsent />
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
          <Button type="submit" variant="primary">
            {t('action.signIn')}
          </Button>
        </form>
      </main>
    </div>
  );
}
