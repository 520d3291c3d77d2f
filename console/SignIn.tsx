import { useEffect, useState } from 'preact/hooks';
import { Button } from './components/Button';
import { ErrorNote } from './components/ErrorNote';
import { Field } from './components/Field';
import { t } from './core/i18n';
import { Problem } from './core/problem';
import { begin, ended, sessionOf } from './core/session';
import { Preferences } from './Preferences';
import { exchange, takeCode } from './sign-in-link';
import { Unsent } from './Unsent';

/** Read once, when the page is loaded: a code must not be exchanged twice. */
const code = takeCode();
let used = false;

/** Asks for a token, unless a link brings one. The first request shows whether it works. */
export function SignIn() {
  const [pasted, setPasted] = useState('');
  const [error, setError] = useState<string>();
  const [problem, setProblem] = useState<unknown>();
  const followLink = (): void => {
    if (code === undefined) return;
    exchange(code).then(begin, (refused: unknown) => setProblem(asLink(refused)));
  };
  useEffect(() => {
    if (used) return;
    used = true;
    followLink();
  }, []);
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
        <ErrorNote problem={problem} onRetry={followLink} />
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

/** A refused link has its own remedy. */
const asLink = (problem: unknown): unknown =>
  problem instanceof Problem && problem.status === 401
    ? new Problem('link_used', problem.message, problem.status)
    : problem;
