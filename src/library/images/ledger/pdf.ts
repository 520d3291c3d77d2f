import { readFileSync } from 'node:fs';
import { create, type Font } from 'fontkit';
import PDFDocument from 'pdfkit';
import { packageFile } from '../../../base/installed-files.js';
import { labelOf } from './captions.js';
import { type LedgerForm, pagesOf, wordsIn } from './form.js';
import { Lettering } from './lettering.js';
import { type Absence, type Size, sizeIn } from './pictures.js';

/** What the title page of a ledger says, and what tells it from others. */
export interface LedgerHead {
  readonly count: number;
  /** Local days of the first and the last picture; undefined if there is none. */
  readonly period: string | undefined;
  /** When the newest record changed; 1970 if there is none. */
  readonly asOf: Date;
  /** The local day of that. */
  readonly asOfDay: string;
  /** Of the form and the images. */
  readonly hash: string;
}

/** A place for a picture. */
export interface Cell extends Partial<Size> {
  /** A JPEG, or why there is none. */
  readonly picture: Buffer | Absence;
  /** In the order of the form's fields. */
  readonly captions: readonly string[];
}

/** A4, in points, as are all lengths here. */
const page = { width: 595.28, height: 841.89 };
const margin = { side: 42, top: 42, bottom: 58 };
const [gap, padding] = [14, 5];
const [black, grey, pale] = ['#000000', '#666666', '#cccccc'];
/** Of a line, in sizes of its letters: the highest glyphs of the font fit. */
const lineHeight = 1.45;

const grids = { 1: [1, 1], 2: [1, 2], 4: [2, 2], 6: [2, 3] } as const;
const letterSizes = { 1: 10.5, 2: 9.5, 4: 8.5, 6: 8 } as const;
/** Lines of a field that may be long. */
const memoLines = { 1: 8, 2: 3, 4: 3, 6: 2 } as const;
/** Of a cell, for captions, unless they have more fields than that. */
const captionShare = 0.42;

interface Geometry {
  readonly columns: number;
  readonly cell: Size;
  readonly picture: Size;
  readonly letters: number;
  /** Of captions. */
  readonly lines: number;
}

const isLong = (field: string): boolean => /^(memos|client_memos|customs|custom:.*)$/s.test(field);

function geometryOf({ layout, fields }: LedgerForm): Geometry {
  const [columns, rows] = grids[layout];
  const cell = {
    width: (page.width - 2 * margin.side - (columns - 1) * gap) / columns,
    height: (page.height - margin.top - margin.bottom - (rows - 1) * gap) / rows,
  };
  const letters = letterSizes[layout];
  const wanted = fields.map((field) => (isLong(field) ? memoLines[layout] : 1));
  const room = Math.floor((cell.height * captionShare) / (letters * lineHeight));
  const sum = wanted.reduce((all, lines) => all + lines, 0);
  const lines = Math.max(fields.length, Math.min(room, sum));
  const width = cell.width - 2 * padding;
  const height = cell.height - lines * letters * lineHeight - 3 * padding;
  return { columns, cell, picture: { width, height }, letters, lines };
}

/** Where a picture may be on a page. */
export const pictureBox = (form: LedgerForm): Size => geometryOf(form).picture;

/**
 * Sets letters side by side, as they were measured: looking for ligatures in this font takes ten times
 * as long as all the rest. Its type knows only features that are to be used.
 */
const plain = {
  lineBreak: false,
  features: Object.fromEntries(
    ['calt', 'ccmp', 'clig', 'kern', 'liga', 'locl', 'mark', 'mkmk', 'rclt', 'rlig'].map((name) => [
      name,
      false,
    ]),
  ) as unknown as PDFKit.Mixins.OpenTypeFeatures[],
};

let opened: Font | undefined;

/** Parsed once: all ledgers share what has been read of it. */
const font = (): Font =>
  (opened ??= create(readFileSync(packageFile('dist/bundle/NotoSansKR-Regular.ttf'))) as Font);

/** A ledger as a PDF, in pieces, page by page as cells come. The same cells make the same bytes. */
export async function* pdfOf(
  form: LedgerForm,
  head: LedgerHead,
  cells: AsyncIterable<Cell>,
): AsyncGenerator<Buffer> {
  const pages = new Pages(form, head);
  yield* pages.written();
  for await (const cell of cells) {
    pages.add(cell);
    yield* pages.written();
  }
  pages.end();
  yield* pages.written();
}

/** As XML has it, without the characters that it has not. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');

const metadataOf = (title: string, { asOf, hash }: LedgerHead): string =>
  `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
<pdfaid:part>1</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance></rdf:Description>
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escaped(title)}</rdf:li></rdf:Alt></dc:title></rdf:Description>
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
<xmp:CreateDate>${asOf.toISOString().slice(0, 19)}Z</xmp:CreateDate>
<xmp:CreatorTool>imgstore</xmp:CreatorTool></rdf:Description>
<rdf:Description rdf:about="" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
<pdf:Producer>imgstore</pdf:Producer><pdf:Keywords>${hash}</pdf:Keywords></rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>`;

/**
 * Makes a document PDF/A-1b, for archives: its fonts are embedded and its colors sRGB in any case. What
 * pdfkit does for that looks for its profile where there is none, and leaves a title unescaped.
 */
function makeArchivable(document: PDFKit.PDFDocument, title: string, head: LedgerHead): void {
  const stream = (data: object, bytes: string | Buffer): unknown => {
    const made = document.ref(data) as { compress: boolean; end(bytes: Buffer): void };
    made.compress = false;
    made.end(Buffer.from(bytes));
    return made;
  };
  const inner = document as unknown as {
    subset: number;
    endSubset: () => void;
    readonly _root: { readonly data: Record<string, unknown> };
  };
  inner.subset = 1; // has it name the glyphs that its font has
  inner.endSubset = () => undefined;
  const metadata = { Type: 'Metadata', Subtype: 'XML' };
  inner._root.data['Metadata'] = stream(metadata, metadataOf(title, head));
  const intent = document.ref({
    Type: 'OutputIntent',
    S: 'GTS_PDFA1',
    OutputConditionIdentifier: new String('sRGB'),
    DestOutputProfile: stream({ N: 3 }, readFileSync(packageFile('dist/bundle/sRGB.icc'))),
  });
  (intent as unknown as { end(): void }).end();
  inner._root.data['OutputIntents'] = [intent];
}

class Pages {
  readonly #document: PDFKit.PDFDocument;
  readonly #lettering = new Lettering(font());
  readonly #geometry: Geometry;
  readonly #labels: readonly string[];
  readonly #labelWidth: number;
  readonly #pages: number;
  #cells = 0;

  constructor(
    private readonly form: LedgerForm,
    head: LedgerHead,
  ) {
    const { title, language, fields } = form;
    this.#geometry = geometryOf(form);
    this.#pages = pagesOf(head.count, form);
    this.#document = new PDFDocument({
      size: [page.width, page.height],
      margin: 0,
      autoFirstPage: false,
      font: '',
      // Would grow with each word.
      fontLayoutCache: false,
      lang: language,
      displayTitle: true,
      // Its id is made of these.
      info: {
        Title: title,
        Creator: 'imgstore',
        Producer: 'imgstore',
        CreationDate: head.asOf,
        Keywords: head.hash,
      },
    });
    makeArchivable(this.#document, title, head);
    // Its type knows only files; it takes what fontkit has parsed, too.
    this.#document.font(font() as unknown as Buffer);
    const { cell, letters } = this.#geometry;
    const widest = cell.width * 0.3;
    this.#labels = fields.map(
      (field) => this.#lettering.lines(labelOf(field, form), widest, letters, 1)[0] ?? '',
    );
    const widths = this.#labels.map((label) => this.#lettering.width(label, letters));
    this.#labelWidth = Math.max(...widths) + 2 * padding;
    this.#titlePage(head);
  }

  /** What has been written since the last call. */
  *written(): Generator<Buffer> {
    for (;;) {
      const chunk = this.#document.read() as Buffer | null;
      if (chunk === null) return;
      yield chunk;
    }
  }

  add({ picture, width = 1, height = 1, captions }: Cell): void {
    const { layout, language } = this.form;
    const { columns, cell, picture: box, letters } = this.#geometry;
    const place = this.#cells % layout;
    if (place === 0) this.#addPage(1 + this.#cells / layout);
    this.#cells += 1;
    const left = margin.side + (place % columns) * (cell.width + gap);
    const top = margin.top + Math.floor(place / columns) * (cell.height + gap);
    const middle = { x: left + padding + box.width / 2, y: top + padding + box.height / 2 };
    this.#document.lineWidth(0.5).rect(left, top, cell.width, cell.height).stroke(pale);
    if (typeof picture === 'string') {
      const note = this.#lettering.settable(wordsIn[language][picture]);
      const x = middle.x - this.#lettering.width(note, letters) / 2;
      this.#write(note, x, middle.y - letters / 2, letters, grey);
    } else {
      const size = sizeIn(box, { width, height });
      const at = [middle.x - size.width / 2, middle.y - size.height / 2] as const;
      this.#document.image(picture, ...at, { ...size });
    }
    this.#captions(captions, left + padding, top + 2 * padding + box.height);
  }

  end(): void {
    this.#document.end();
  }

  /** Each field has one line, and what is left over goes to the first that need more. */
  #captions(captions: readonly string[], left: number, top: number): void {
    const { cell, letters, lines } = this.#geometry;
    const width = cell.width - 2 * padding - this.#labelWidth;
    let spare = lines - captions.length;
    let y = top;
    for (const [n, text] of captions.entries()) {
      const broken = this.#lettering.lines(text, width, letters, 1 + spare);
      spare -= Math.max(0, broken.length - 1);
      this.#write(this.#labels[n] ?? '', left, y, letters, grey);
      for (const [at, line] of broken.entries()) {
        this.#write(line, left + this.#labelWidth, y + at * letters * lineHeight, letters);
      }
      y += Math.max(1, broken.length) * letters * lineHeight;
    }
  }

  #titlePage({ count, period, asOfDay }: LedgerHead): void {
    const words = wordsIn[this.form.language];
    this.#document.addPage();
    const [large, letters, middle] = [28, 12, page.width / 2];
    const width = page.width - 4 * margin.side;
    let y = page.height * 0.3;
    for (const line of this.#lettering.lines(this.form.title, width, large, 4)) {
      this.#write(line, middle - this.#lettering.width(line, large) / 2, y, large);
      y += large * lineHeight;
    }
    y += large;
    this.#document
      .lineWidth(1)
      .moveTo(2 * margin.side, y)
      .lineTo(page.width - 2 * margin.side, y);
    this.#document.stroke(black);
    y += large;
    const facts = [
      [words.pictures, words.count(count)],
      ...(period === undefined ? [] : [[words.period, period]]),
      ...(period === undefined ? [] : [[words.asOf, asOfDay]]),
    ] as const;
    for (const [label = '', text = ''] of facts) {
      this.#write(label, 2 * margin.side, y, letters, grey);
      this.#write(text, middle - 3 * margin.side, y, letters);
      y += letters * 2;
    }
  }

  #addPage(number: number): void {
    this.#document.addPage();
    const [letters, y] = [8, page.height - margin.bottom / 2 - 8];
    const { title } = this.form;
    const width = page.width - 2 * margin.side - 80;
    const [line = ''] = this.#lettering.lines(title, width, letters, 1);
    this.#write(line, margin.side, y, letters, grey);
    const of = `${number + 1} / ${this.#pages}`;
    const right = page.width - margin.side - this.#lettering.width(of, letters);
    this.#write(of, right, y, letters, grey);
  }

  #write(line: string, x: number, y: number, size: number, colour = black): void {
    if (line === '') return;
    this.#document.fontSize(size).fillColor(colour).text(line, x, y, plain);
  }
}
