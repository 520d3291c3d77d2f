import { addressOf } from './api';
import type { Picture } from './api';
import { button, make } from './dom';
import { fill, nameOf, timeOf } from './pictures';
import type { Pictures } from './pictures';
import { words } from './words';

/** How far a finger moves for the next picture, in pixels. */
const swipeLength = 40;

const icon = (sign: string): HTMLElement => make('span', { ariaHidden: 'true' }, sign);

/** Shows one picture at a time, large. */
export class Viewer {
  readonly element = make('dialog', { className: 'viewer', ariaLabel: words.viewer });
  readonly #image = make('img', { alt: '', decoding: 'async' });
  readonly #caption = make('p', { className: 'caption' });
  readonly #download = make('a', { className: 'button' }, words.download);
  readonly #previous = button(words.previous, 'turn previous', () => this.#turn(-1), icon('‹'));
  readonly #next = button(words.next, 'turn next', () => this.#turn(1), icon('›'));
  readonly #close = button(words.close, 'close', () => this.element.close(), icon('✕'));
  #at = 0;

  constructor(
    private readonly pictures: Pictures,
    /** Loads more pictures. */
    private readonly load: () => Promise<boolean>,
    private readonly fail: (problem: unknown) => void,
  ) {
    this.element.append(
      this.#image,
      this.#previous,
      this.#next,
      make('div', { className: 'bar' }, this.#caption, this.#download),
      this.#close,
    );
    document.addEventListener('keydown', ({ key }) => {
      if (!this.element.open) return;
      if (key === 'ArrowLeft') this.#turn(-1);
      if (key === 'ArrowRight') this.#turn(1);
    });
    this.#followFingers();
  }

  open(id: string): void {
    const at = this.pictures.all.findIndex((picture) => picture.id === id);
    if (at < 0) return;
    this.element.showModal();
    this.#show(at);
  }

  #turn(by: number): void {
    const at = this.#at + by;
    if (at >= 0 && at < this.pictures.all.length) this.#show(at);
  }

  #show(at: number): void {
    this.#at = at;
    const { all } = this.pictures;
    if (at >= all.length - 3) void this.load().then(() => this.#showTurns());
    this.#showTurns();
    const picture = all[at];
    if (!picture) return;
    this.#image.alt = nameOf(picture);
    this.#caption.textContent = [timeOf(picture), placeText(picture)]
      .filter((part) => part !== '')
      .join(' · ');
    this.#image.removeAttribute('src');
    void this.pictures.fresh(picture).then((fresh) => {
      if (this.#at !== at) return;
      const { pictures, fail } = this;
      fill(this.#image, { pictures, picture: fresh, of: ({ display_url }) => display_url, fail });
      this.#offer(fresh);
      const following = all[at + 1];
      if (following) new Image().src = addressOf(following.display_url);
    }, this.fail);
  }

  #showTurns(): void {
    this.#previous.disabled = this.#at === 0;
    this.#next.disabled = this.#at >= this.pictures.all.length - 1;
    // A button that is disabled loses the focus, which must stay in the dialog.
    if (document.activeElement?.matches(':enabled') !== true) this.#close.focus();
  }

  /** The address of an original is renewed when it is followed: a page may be open for hours. */
  #offer(picture: Picture): void {
    const { download_url: url } = picture;
    this.#download.hidden = url === undefined;
    if (url === undefined) return;
    this.#download.href = addressOf(url);
    this.#download.download = '';
    this.#download.onclick = (event) => {
      event.preventDefault();
      void this.pictures.fresh(picture).then(({ download_url = url }) => {
        location.assign(addressOf(download_url)); // an attachment: the page stays
      }, this.fail);
    };
  }

  #followFingers(): void {
    let from: number | undefined;
    this.#image.draggable = false;
    this.#image.onpointerdown = ({ clientX, pointerType }) => {
      from = pointerType === 'mouse' ? undefined : clientX;
    };
    this.#image.onpointerup = ({ clientX }) => {
      const moved = from === undefined ? 0 : clientX - from;
      from = undefined;
      if (Math.abs(moved) >= swipeLength) this.#turn(moved < 0 ? 1 : -1);
    };
  }
}

/** Where a picture was made, as far as the link tells. */
function placeText({ place }: Picture): string {
  if (!place) return '';
  const { building_name, address_road, address_land, address_land_number } = place;
  const land = [address_land, address_land_number].filter(Boolean).join(' ');
  return [building_name, address_road ?? land].filter(Boolean).join(', ');
}
