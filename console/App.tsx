import { useEffect } from 'preact/hooks';
import { Boundary } from './components/Boundary';
import { Toasts } from './components/Toast';
import { language } from './core/i18n';
import { session } from './core/session';
import { Shell } from './Shell';
import { SignIn } from './SignIn';

/** The console: a page that asks for a token, or the pages that the token may see. */
export function App() {
  useEffect(() => {
    document.documentElement.lang = language.value;
  }, [language.value]);
  return (
    <>
      <Boundary>
        {session.value ? <Shell key={session.value.token} session={session.value} /> : <SignIn />}
      </Boundary>
      <Toasts />
    </>
  );
}
