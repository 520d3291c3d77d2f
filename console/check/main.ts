import {
  checkProof,
  maxProofBytes,
  ProofError,
  versionOf,
  type Proved,
} from '../../src/feed/custody/check-proof';
import { make } from '../link/dom';
import { hashOf, primitives } from './primitives';
import { en, ko } from './texts';

// Checks a proof in the browser alone, with what the command checks it with.

const language = navigator.languages
  .map((tag) => tag.slice(0, 2))
  .find((tag) => ['en', 'ko'].includes(tag));
const words = language === 'ko' ? ko : en;
document.documentElement.lang = words === ko ? 'ko' : 'en';
document.title = words.title;

const say = (sentence: string, values: Readonly<Record<string, string | number>>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => String(values[name] ?? ''));

const chooser = (id: string): HTMLInputElement => make('input', { type: 'file', id });
const [proof, picture, checkpoint] = ['proof', 'picture', 'checkpoint'].map(chooser) as [
  HTMLInputElement,
  HTMLInputElement,
  HTMLInputElement,
];
const result = make('div', { role: 'status' });

async function textOf({ files }: HTMLInputElement): Promise<string | undefined> {
  const [file] = files ?? [];
  if (file && file.size > maxProofBytes) throw new ProofError(words.tooLarge, 'tooLarge');
  return file?.text();
}

/** Checks what has been chosen last. */
let round = 0;
async function check(): Promise<void> {
  const [shown] = picture.files ?? [];
  const own = ++round;
  const show = (...children: Node[]): void => {
    if (own === round) result.replaceChildren(...children);
  };
  show();
  if (!shown || !proof.files?.[0]) return;
  show(make('p', {}, words.checking));
  try {
    const [text = '', known] = [await textOf(proof), await textOf(checkpoint)];
    const proved = checkProof(text, primitives, known);
    const version = versionOf(proved, await hashOf(shown));
    if (version === undefined) throw new ProofError(words.otherPicture, 'otherPicture');
    show(found(proved, version, known !== undefined), history(proved));
  } catch (error) {
    // A file that can no longer be read says so itself.
    const { message } = error as Error;
    const reason = error instanceof ProofError ? words[error.kind] : '';
    show(
      make(
        'section',
        { className: 'bad' },
        make('h2', {}, words.bad),
        make('p', {}, reason || message),
        reason && reason !== message
          ? make('p', { className: 'muted', lang: 'en' }, message)
          : undefined,
      ),
    );
  }
}

const rows = (pairs: readonly (readonly [string, string])[]): HTMLElement =>
  make(
    'dl',
    {},
    ...pairs.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]),
  );

function found(proved: Proved, version: number, isKnown: boolean): HTMLElement {
  const { imageId, entries, checkpoint: of, key, stamp } = proved;
  const newest = Number(entries.at(-1)?.state.get('content')?.split(' ')[0]);
  return make(
    'section',
    { className: 'good' },
    make('h2', {}, words.good),
    make(
      'p',
      {},
      say(version === newest ? words.isVersion : words.wasVersion, { version, newest }),
    ),
    make('p', {}, isKnown ? words.same : words.compare),
    rows([
      [words.image, imageId],
      [words.log, of.origin],
      [words.size, String(of.size)],
      [words.key, key],
      ...(stamp ? [[words.stamp, say(words.stamped, { at: stamp.at })] as const] : []),
    ]),
  );
}

/** Entries, each with what differs from the one before. */
function history({ entries }: Proved): HTMLElement {
  const items = entries.flatMap(({ at, kinds, state, address, skipped }, i) => {
    const before = skipped === 0 ? entries[i - 1]?.state : undefined;
    const changed = [...state].filter(([word, value]) => before?.get(word) !== value);
    const lines = changed.filter(([word]) => word !== 'image');
    if (address !== undefined) lines.push([words.address, address]);
    const gap = make('li', { className: 'muted' }, say(words.skipped, { count: skipped }));
    const item = make('li', {}, make('strong', {}, `${at} ${kinds}`), rows(lines));
    return skipped > 0 ? [gap, item] : [item];
  });
  return make('section', {}, make('h2', {}, words.history), make('ol', {}, ...items));
}

const field = (label: string, input: HTMLInputElement): HTMLElement => {
  input.onchange = () => void check();
  return make('label', { htmlFor: input.id }, label, input);
};

document
  .querySelector('main')
  ?.replaceChildren(
    make('header', {}, make('h1', {}, words.title), make('p', { className: 'muted' }, words.about)),
    make(
      'form',
      {},
      field(words.proof, proof),
      field(words.picture, picture),
      field(words.checkpoint, checkpoint),
    ),
    result,
  );
