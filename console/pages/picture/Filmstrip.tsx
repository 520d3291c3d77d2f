import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { time } from '../../core/amounts';
import { t } from '../../core/i18n';
import { hrefOf } from '../../core/router';
import { Thumb } from '../library/grid/Thumb';
import { momentOf } from './stage/shot';
import type { Image } from './record';
import type { Neighbors } from './use-neighbors';

interface FilmstripProps {
  readonly neighbors: Neighbors;
  /** The path of an image of the list. */
  readonly pathOf: (image: Image) => string;
  readonly onOpen: (image: Image) => void;
}

/** The width of one, and from one to the next, in pixels, as in picture.css. */
const tile = 56;
const pitch = 60;
/** How many are drawn and read beyond those in view. */
const ahead = 4;

/** The images of the list, of which only those in view are drawn; the open one is in the middle. */
export function Filmstrip({ neighbors, pathOf, onOpen }: FilmstripProps) {
  const { images, at } = neighbors;
  const strip = useRef<HTMLElement>(null);
  const [seen, setSeen] = useState({ left: 0, width: 0 });
  void images.version.value;
  const { total } = images;
  useLayoutEffect(() => {
    const node = strip.current;
    if (!node) return undefined;
    let frame = 0;
    const measure = (): void => {
      frame = 0;
      setSeen({ left: node.scrollLeft, width: node.clientWidth });
    };
    const soon = (): void => void (frame ||= requestAnimationFrame(measure));
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    node.addEventListener('scroll', soon, { passive: true });
    measure();
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      node.removeEventListener('scroll', soon);
    };
  }, []);
  useLayoutEffect(() => {
    const node = strip.current;
    if (node) node.scrollLeft = at * pitch + tile / 2;
  }, [at, total, seen.width]);
  // The strip begins and ends with half of its width, so that the first and the last can be in the middle.
  const middle = seen.left / pitch;
  const half = seen.width / 2 / pitch + ahead;
  const first = Math.max(0, Math.floor(middle - half));
  const end = Math.min(total, Math.ceil(middle + half));
  useEffect(() => {
    if (seen.width > 0 && end > first) images.see(first, end);
  }, [images, first, end]);
  return (
    <nav ref={strip} class="strip" aria-label={t('picture.strip')}>
      <div class="strip-all" style={{ width: `${total * pitch + seen.width}px` }}>
        {Array.from({ length: Math.max(0, end - first) }, (_, offset) => {
          const index = first + offset;
          const image = images.at(index);
          const style = { insetInlineStart: `${index * pitch + seen.width / 2}px` };
          if (!image) return <span key={index} class="strip-item" style={style} />;
          return (
            <a
              key={image.id}
              class="strip-item"
              style={style}
              href={hrefOf(pathOf(image))}
              aria-label={t('library.imageOf', { time: time(momentOf(image)) })}
              aria-current={index === at ? 'true' : undefined}
              tabIndex={index === at ? 0 : -1}
              onClick={(event) => {
                event.preventDefault();
                onOpen(image);
              }}
            >
              <Thumb image={image} onError={() => images.renew(image.id)} />
            </a>
          );
        })}
      </div>
    </nav>
  );
}
