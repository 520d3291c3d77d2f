import { Readable } from 'node:stream';
import { Zip } from '../archive/zip.js';
import { labelOf } from './captions.js';
import { type LedgerForm, wordsIn } from './form.js';
import type { Cell, LedgerHead } from './pdf.js';
import { type Absence, type Size, sizeIn } from './pictures.js';

// A workbook is a ZIP of XML files (ECMA-376). Pictures come first: what refers to them is written when
// it is known which there are.

/** Where a picture may be in its cell, in points. */
export const workbookBox: Size = { width: 216, height: 162 };

const emuPerPoint = 12_700;
const offset = 4;
const rowHeight = workbookBox.height + 2 * offset;
/** In characters: of pictures a few more than `workbookBox` needs. */
const [pictureColumn, textColumn] = [42, 28];
/** Rows above the first picture: title, summary, and names of columns. */
const headRows = 3;
/** The longest text that a cell can have. */
const maxText = 32_767;

/** Characters that XML cannot have. */
const notXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const escapes = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/** Text of XML. `_x0041_` would be read as a character by its code. */
const xml = (text: string): string =>
  text
    .replace(notXml, '')
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replace(/[&<>"]/g, (letter) => escapes.get(letter) ?? '');

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaged = 'http://schemas.openxmlformats.org/package/2006';
const drawn = 'http://schemas.openxmlformats.org/drawingml/2006';
const excel = 'application/vnd.openxmlformats-officedocument';

const relationships = (items: Iterable<string>): string =>
  `<Relationships xmlns="${packaged}/relationships">${[...items].join('')}</Relationships>`;

const relationship = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;

const override = (part: string, type: string): string =>
  `<Override PartName="/xl/${part}" ContentType="${excel}.${type}+xml"/>`;

const contentTypes = `<Types xmlns="${packaged}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="jpg" ContentType="image/jpeg"/>
<Default Extension="xml" ContentType="application/xml"/>
${override('workbook.xml', 'spreadsheetml.sheet.main')}
${override('styles.xml', 'spreadsheetml.styles')}
${override('worksheets/sheet1.xml', 'spreadsheetml.worksheet')}
${override('drawings/drawing1.xml', 'drawing')}
</Types>`;

/** Styles of cells: 1 text, 2 names of columns, 3 title, 4 a line. A quote prefix keeps text from becoming a formula. */
const styles = `<styleSheet xmlns="${main}">
<fonts count="3"><font><sz val="10"/><name val="Calibri"/></font><font><b/><sz val="10"/><name val="Calibri"/></font><font><b/><sz val="16"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border/></borders>
<cellStyleXfs count="1"><xf/></cellStyleXfs>
<cellXfs count="5"><xf/>${[0, 1, 2, 0]
  .map(
    (font, style) =>
      `<xf numFmtId="49" fontId="${font}" quotePrefix="1" applyNumberFormat="1" applyFont="1" applyAlignment="1"><alignment vertical="top"${style < 2 ? ' wrapText="1"' : ''}/></xf>`,
  )
  .join('')}</cellXfs>
</styleSheet>`;

/** `A` to `Z`: a form has no more fields than that. */
const columnName = (index: number): string => String.fromCharCode('A'.charCodeAt(0) + index);

/** A row of texts; no cell where there is none. @param row from 1 on. */
function rowOf(row: number, texts: readonly string[], style: number, height?: number): string {
  const cells = texts.map((text, column) => {
    if (text === '') return '';
    const value = xml(text.length > maxText ? `${text.slice(0, maxText - 1)}…` : text);
    const at = columnName(column) + row;
    return `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`;
  });
  const high = height === undefined ? '' : ` ht="${height}" customHeight="1"`;
  return `<row r="${row}"${high}>${cells.join('')}</row>`;
}

/** A picture that is in the workbook. */
interface Placed extends Size {
  /** From 1 on. */
  readonly number: number;
}

function anchorOf({ number, width, height }: Placed): string {
  const size = `cx="${Math.round(width * emuPerPoint)}" cy="${Math.round(height * emuPerPoint)}"`;
  const inCell = `<xdr:colOff>${offset * emuPerPoint}</xdr:colOff>`;
  const row = headRows + number - 1;
  return `<xdr:oneCellAnchor>
<xdr:from><xdr:col>0</xdr:col>${inCell}<xdr:row>${row}</xdr:row><xdr:rowOff>${offset * emuPerPoint}</xdr:rowOff></xdr:from>
<xdr:ext ${size}/>
<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="${number + 1}" name="${number}"/><xdr:cNvPicPr/></xdr:nvPicPr>
<xdr:blipFill><a:blip r:embed="p${number}"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill>
<xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic>
<xdr:clientData/></xdr:oneCellAnchor>\n`;
}

/** What a workbook is made of. */
export interface WorkbookCells {
  /** Read first. */
  readonly pictures: AsyncIterable<Pick<Cell, 'picture' | 'width' | 'height'>>;
  /** Read afterwards. */
  readonly captions: AsyncIterable<readonly string[]>;
}

type Parts = AsyncIterable<string> | Iterable<string>;

/** A ledger as a workbook, which is made while it is sent. The same cells make the same bytes. */
export class Workbook {
  readonly zip = new Zip();
  readonly #pictures: AsyncIterator<Pick<Cell, 'picture' | 'width' | 'height'>>;
  readonly #placed: Placed[] = [];
  readonly #absent = new Map<number, Absence>();

  constructor(
    private readonly form: LedgerForm,
    private readonly head: LedgerHead,
    private readonly cells: WorkbookCells,
  ) {
    this.#pictures = cells.pictures[Symbol.asyncIterator]();
    for (const [name, text] of fixedParts(wordsIn[form.language].picture)) {
      this.#add(name, () => [text]);
    }
    for (let number = 1; number <= head.count; number += 1) this.#addPicture(number);
    this.#add('xl/worksheets/sheet1.xml', () => this.#sheet());
    this.#add('xl/drawings/drawing1.xml', () => this.#drawing());
    this.#add('xl/drawings/_rels/drawing1.xml.rels', () => [
      relationships(
        this.#placed.map(({ number }) =>
          relationship(`p${number}`, 'image', `../media/${number}.jpg`),
        ),
      ),
    ]);
    this.zip.end();
  }

  #add(name: string, parts: () => Parts): void {
    const open = async (): Promise<Readable> =>
      Readable.from(declared(parts()), { objectMode: false });
    this.zip.add({ name, modified: this.head.asOf, compress: true, open });
  }

  /** Nothing refers to the file of a picture that is absent, which is empty. */
  #addPicture(number: number): void {
    const open = async (): Promise<Readable> => {
      const next = await this.#pictures.next();
      if (next.done) throw new Error('fewer pictures than there were');
      const { picture, width = 1, height = 1 } = next.value;
      const isAbsent = typeof picture === 'string';
      if (isAbsent) this.#absent.set(number, picture);
      else this.#placed.push({ number, ...sizeIn(workbookBox, { width, height }) });
      return Readable.from(isAbsent ? [] : [picture], { objectMode: false });
    };
    this.zip.add({ name: `xl/media/${number}.jpg`, modified: this.head.asOf, open });
  }

  async *#sheet(): AsyncGenerator<string> {
    const { title, language, fields } = this.form;
    const { count, period, asOfDay } = this.head;
    const words = wordsIn[language];
    yield `<worksheet xmlns="${main}" xmlns:r="${office}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView workbookViewId="0"><pane ySplit="${headRows}" topLeftCell="A${headRows + 1}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>
<cols><col min="1" max="1" width="${pictureColumn}" customWidth="1"/><col min="2" max="${1 + fields.length}" width="${textColumn}" customWidth="1"/></cols><sheetData>`;
    yield rowOf(1, [title], 3, 24);
    const facts = [`${words.pictures}: ${words.count(count)}`];
    if (period !== undefined) {
      facts.push(`${words.period}: ${period}`, `${words.asOf}: ${asOfDay}`);
    }
    yield rowOf(2, [facts.join(' · ')], 4);
    yield rowOf(3, [words.picture, ...fields.map((field) => labelOf(field, this.form))], 2);
    let number = 0;
    for await (const texts of this.cells.captions) {
      number += 1;
      const absence = this.#absent.get(number);
      const note = absence === undefined ? '' : words[absence];
      yield rowOf(headRows + number, [note, ...texts], 1, rowHeight);
    }
    yield '</sheetData><pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/><drawing r:id="d"/></worksheet>';
  }

  *#drawing(): Generator<string> {
    yield `<xdr:wsDr xmlns:xdr="${drawn}/spreadsheetDrawing" xmlns:a="${drawn}/main" xmlns:r="${office}">`;
    for (const one of this.#placed) yield anchorOf(one);
    yield '</xdr:wsDr>';
  }
}

/** Files that are always the same. @param sheet its name. */
const fixedParts = (sheet: string): readonly (readonly [name: string, text: string])[] => [
  ['[Content_Types].xml', contentTypes],
  ['_rels/.rels', relationships([relationship('w', 'officeDocument', 'xl/workbook.xml')])],
  [
    'xl/workbook.xml',
    `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${sheet}" sheetId="1" r:id="s"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    relationships([
      relationship('s', 'worksheet', 'worksheets/sheet1.xml'),
      relationship('t', 'styles', 'styles.xml'),
    ]),
  ],
  ['xl/styles.xml', styles],
  [
    'xl/worksheets/_rels/sheet1.xml.rels',
    relationships([relationship('d', 'drawing', '../drawings/drawing1.xml')]),
  ],
];

async function* declared(parts: Parts): AsyncGenerator<string> {
  yield declaration;
  yield* parts;
}
