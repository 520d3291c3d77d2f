import { Refusal } from '../core/refusal';
import { ask, post } from './api';
import type { VisitedLink } from './api';
import { button, make, show } from './dom';
import { language, words } from './words';
import '../styles/tokens.css';
import '../styles/base.css';
import './link.css';

type OpenLink = NonNullable<VisitedLink['link']>;

document.documentElement.lang = language;
document.body.classList.add('link-page');

/** Shows why there is nothing to show. */
function notice(title: string, more?: string, again?: () => void): void {
  show(
    make(
      'div',
      { className: 'notice', role: 'status' },
      make('h1', {}, title),
      more === undefined ? undefined : make('p', {}, more),
      again && button(words.again, 'main', again),
    ),
  );
}

/** Shows a refusal that the page cannot go on after. */
function fail(problem: unknown): void {
  if (!(problem instanceof Refusal)) throw problem;
  if (problem.status === 410) notice(words.ended, words.endedMore);
  else if (problem.status === 404) notice(words.unknown, words.unknownMore);
  else if (problem.code === 'password_required') askPassword();
  else notice(words.unreachable, undefined, () => void begin());
}

const heading = ({ title, message }: OpenLink, fallback: string): HTMLElement => {
  document.title = title ?? fallback;
  return make(
    'header',
    {},
    make('h1', {}, title ?? fallback),
    message === null ? undefined : make('p', { className: 'message' }, message),
  );
};

/** Each kind of link has its own script. */
async function open(link: OpenLink): Promise<void> {
  if (link.kind === 'view') {
    const { showGallery } = await import('./gallery');
    await showGallery(link, heading(link, words.pictures), fail);
  } else {
    const { showRequest } = await import('./request');
    await showRequest(heading(link, words.request), fail);
  }
}

function askPassword(): void {
  const field = make('input', { type: 'password', id: 'password', autocomplete: 'off' });
  field.required = true;
  const problem = make('p', { className: 'problem', role: 'alert' });
  const submit = make('button', { type: 'submit', className: 'main' }, words.open);
  const form = make(
    'form',
    { className: 'notice' },
    make('h1', {}, words.protected),
    make('label', { htmlFor: 'password' }, words.password),
    field,
    problem,
    submit,
  );
  form.onsubmit = (event) => {
    event.preventDefault();
    submit.disabled = true;
    void post<VisitedLink>('password', { password: field.value })
      .then(({ link }) => link && open(link))
      .catch((refusal: unknown) => {
        submit.disabled = false;
        const isWrong = refusal instanceof Refusal && refusal.code === 'password_required';
        if (isWrong) problem.textContent = words.wrong;
        else if (refusal instanceof Refusal && refusal.status === 429) {
          problem.textContent = words.tooOften;
        } else fail(refusal);
      });
  };
  show(form);
  field.focus();
}

async function begin(): Promise<void> {
  try {
    const { link } = await ask<VisitedLink>('link');
    if (link) await open(link);
    else askPassword();
  } catch (problem) {
    fail(problem);
  }
}

void begin();
