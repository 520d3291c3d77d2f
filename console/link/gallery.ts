import { thumbHashToDataURL } from 'thumbhash';
import { Refusal } from '../core/refusal';
import { isOfLink, post } from './api';
import type { Archive, Picture, VisitedLink } from './api';
import { button, make, show } from './dom';
import { fill, nameOf, Pictures, type Shown, timeOf } from './pictures';
import { Viewer } from './viewer';
import { words } from './words';

type OpenLink = NonNullable<VisitedLink['link']>;

/** A few colors of a picture, until it is loaded. */
function placeholder({ thumbhash }: Picture): string {
  try {
    const bytes = Uint8Array.from(atob(thumbhash), (sign) => sign.charCodeAt(0));
    return `url(${thumbHashToDataURL(bytes)})`;
  } catch {
    return '';
  }
}

function tile(shown: Pick<Shown, 'pictures' | 'picture' | 'fail'>, open: () => void): HTMLElement {
  const { picture } = shown;
  const image = make('img', { alt: '', loading: 'lazy', decoding: 'async' });
  image.style.backgroundImage = placeholder(picture);
  fill(image, { ...shown, of: ({ thumb_url }) => thumb_url });
  const opener = button(nameOf(picture), 'tile', open, image);
  const caption = make('span', { className: 'caption', ariaHidden: 'true' }, timeOf(picture));
  return make('li', {}, opener, caption);
}

/** Shows the pictures of a link. @param fail shows why it cannot be shown any more. */
export async function showGallery(
  link: OpenLink,
  header: HTMLElement,
  fail: (problem: unknown) => void,
): Promise<void> {
  const pictures = new Pictures();
  const grid = make('ul', { className: 'grid' });
  const viewer = new Viewer(pictures, load, fail);
  const more = button(words.more, 'more', () => void load());
  let loading: Promise<boolean> | undefined;

  /** Loads a page. @returns whether there was one. */
  function load(): Promise<boolean> {
    loading ??= loadPage().finally(() => (loading = undefined));
    return loading;
  }

  async function loadPage(): Promise<boolean> {
    try {
      const news = await pictures.load();
      const tileOf = (picture: Picture): HTMLElement =>
        tile({ pictures, picture, fail }, () => viewer.open(picture.id));
      grid.append(...news.map(tileOf));
      more.hidden = !pictures.more;
      return news.length > 0;
    } catch (problem) {
      fail(problem);
      return false;
    }
  }

  if (!(await load()) && pictures.all.length === 0 && pictures.more) return; // has been explained
  const isEmpty = pictures.all.length === 0;
  show(
    header,
    link.show_place && !isEmpty ? mapPart(pictures, load, viewer) : undefined,
    link.allow_download && !link.show_place
      ? make('p', { className: 'muted' }, words.bareDownloads)
      : undefined,
    link.allow_download && !isEmpty ? downloadPart(fail) : undefined,
    isEmpty ? make('p', { className: 'muted' }, words.empty) : grid,
    more,
    viewer.element,
  );
  const sight = new IntersectionObserver(
    (entries) => entries.some(({ isIntersecting }) => isIntersecting) && void load(),
    { rootMargin: '1000px' },
  );
  sight.observe(more);
  // Printing does not scroll.
  addEventListener('beforeprint', () => {
    for (const image of grid.querySelectorAll('img')) image.loading = 'eager';
  });
}

/** A button that shows a map, whose script is loaded only then. */
function mapPart(pictures: Pictures, load: () => Promise<boolean>, viewer: Viewer): HTMLElement {
  const place = make('div', { className: 'map-view', hidden: true });
  const toggle = button(words.map, 'map-toggle', () => {
    place.hidden = !place.hidden;
    toggle.textContent = place.hidden ? words.map : words.hideMap;
    toggle.ariaExpanded = String(!place.hidden);
    if (place.hidden || place.childElementCount > 0) return;
    void import('./map')
      .then(({ drawMap }) => drawMap(place, { pictures, load, open: (id) => viewer.open(id) }))
      .catch(() => place.replaceChildren(make('p', { className: 'problem' }, words.noMap)));
  });
  toggle.ariaExpanded = 'false';
  return make('section', { ariaLabel: words.map }, toggle, place);
}

/** A button that downloads all pictures as a ZIP, which may have to be made ready first. */
function downloadPart(fail: (problem: unknown) => void): HTMLElement {
  const said = make('span', { className: 'muted', role: 'status' });
  const download = async (): Promise<void> => {
    start.disabled = true;
    try {
      location.assign((await archive(said)).url); // an attachment: the page stays
      said.textContent = '';
    } catch (problem) {
      if (!(problem instanceof Refusal) || isOfLink(problem)) return fail(problem);
      said.textContent = problem.code === 'too_many_images' ? words.tooMany : words.unreachable;
    } finally {
      start.disabled = false;
    }
  };
  const start = button(words.downloadAll, 'download-all', () => void download());
  return make('p', { className: 'downloads' }, start, said);
}

/** @throws Refusal. */
async function archive(said: HTMLElement): Promise<Archive> {
  for (;;) {
    try {
      return await post<Archive>('archive');
    } catch (problem) {
      const isBusy = problem instanceof Refusal && problem.status === 503;
      if (!isBusy || problem.retryAfterMs === 0) throw problem;
      said.textContent = words.preparing;
      await new Promise((resolve) => setTimeout(resolve, problem.retryAfterMs));
    }
  }
}
