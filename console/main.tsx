import { render } from 'preact';
import { App } from './App';
import { followLinks } from './core/router';
import { resume } from './core/session';
import { followTheme } from './core/theme';
import { followSignInLinks } from './sign-in-link';
import './styles/tokens.css';
import './styles/base.css';
import './styles/components.css';
import './styles/cards.css';
import './styles/shell.css';

followTheme();
followLinks();
resume();
followSignInLinks();
const place = document.getElementById('console');
if (place) render(<App />, place);
