import { useEffect, useRef } from 'preact/hooks';
import { t } from '../core/i18n';
import { Button } from './Button';
import { Copyable } from './Copyable';

interface ShareableProps {
  readonly url: string;
  /** What the app that it is handed to calls it. */
  readonly title: string | null;
  readonly onClose: () => void;
}

/** An address, to be copied, sent by another app, or scanned by a phone beside this screen. */
export function Shareable({ url, title, onClose }: ShareableProps) {
  const code = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    void import('lean-qr').then(({ generate }) => {
      const canvas = code.current;
      if (canvas) generate(url).toCanvas(canvas, { on: [0, 0, 0], off: [255, 255, 255] });
    });
  }, [url]);
  // Not every browser has it, and none on plain http.
  const { share } = navigator as Partial<Navigator>;
  return (
    <div class="tokens">
      <Copyable name={t('links.url')} value={url} />
      <canvas ref={code} class="link-code" role="img" aria-label={t('links.code')} />
      <div class="dialog-actions">
        {share && (
          <Button
            icon="share"
            onClick={() => {
              // Whoever closes the sheet has changed his mind.
              navigator.share({ url, ...(title && { title }) }).catch(() => undefined);
            }}
          >
            {t('links.send')}
          </Button>
        )}
        <Button variant="primary" onClick={onClose}>
          {t('action.done')}
        </Button>
      </div>
    </div>
  );
}
