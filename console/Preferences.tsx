import { Menu } from './components/Menu';
import { chooseLanguage, language, languages, t } from './core/i18n';
import type { Language } from './core/i18n';
import { chooseTheme, theme, themes } from './core/theme';

/** Theme and language. */
export function Preferences() {
  const ofTheme = themes.map((choice) => ({
    label: t(`theme.${choice}`),
    chosen: theme.value === choice,
    act: () => chooseTheme(choice),
  }));
  const ofLanguage = (Object.keys(languages) as Language[]).map((choice) => ({
    label: languages[choice],
    chosen: language.value === choice,
    act: () => chooseLanguage(choice),
  }));
  return <Menu label={t('shell.preferences')} icon="sun" groups={[ofTheme, ofLanguage]} />;
}
