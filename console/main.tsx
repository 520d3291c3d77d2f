import { render } from 'preact';
import { App } from './App';
import { followLinks } from './core/router';
import { followTheme } from './core/theme';
import './styles/base.css';
import './styles/components.css';
import './styles/shell.css';

followTheme();
followLinks();
const place = document.getElementById('console');
if (place) render(<App />, place);
