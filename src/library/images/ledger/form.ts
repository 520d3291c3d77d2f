/** Pictures of a ledger at most. */
export const maxInLedger = 2000;

export const formats = ['pdf', 'xlsx'] as const;
export const layouts = [1, 2, 4, 6] as const;
export const languages = ['ko', 'en'] as const;

/** Fields of captions; further ones are `custom:KEY`. */
export const captionFields = [
  'number',
  'original_name',
  'taken_at',
  'address',
  'place',
  'direction',
  'memos',
  'client_memos',
  'customs',
] as const;
export type CaptionField = (typeof captionFields)[number];

/** How a ledger looks. */
export interface LedgerForm {
  readonly format: (typeof formats)[number];
  /** Pictures on a page. */
  readonly layout: (typeof layouts)[number];
  readonly title: string;
  /** Those of {@link captionFields}, and `custom:KEY`. */
  readonly fields: readonly string[];
  readonly language: (typeof languages)[number];
}

/** Pages of so many pictures, with the title page. */
export const pagesOf = (count: number, { layout }: Pick<LedgerForm, 'layout'>): number =>
  1 + Math.ceil(count / layout);

/** What a ledger says of itself, and of pictures that it cannot show. */
interface Words extends Readonly<Record<CaptionField, string>> {
  readonly title: string;
  readonly picture: string;
  readonly count: (count: number) => string;
  readonly pictures: string;
  readonly period: string;
  readonly asOf: string;
  /** The image has been deleted. */
  readonly gone: string;
  readonly missing: string;
  readonly damaged: string;
}

export const wordsIn: Readonly<Record<LedgerForm['language'], Words>> = {
  ko: {
    title: '사진대지',
    picture: '사진',
    pictures: '사진 수',
    count: (count) => `${count}장`,
    period: '촬영 기간',
    asOf: '기준일',
    number: '번호',
    original_name: '파일명',
    taken_at: '촬영 일시',
    address: '주소',
    place: '좌표',
    direction: '방향',
    memos: '메모',
    client_memos: '고객 메모',
    customs: '항목',
    gone: '삭제된 사진',
    missing: '사진 파일 없음',
    damaged: '사진 파일 손상',
  },
  en: {
    title: 'Photo ledger',
    picture: 'Picture',
    pictures: 'Pictures',
    count: String,
    period: 'Taken',
    asOf: 'As of',
    number: 'No.',
    original_name: 'File',
    taken_at: 'Taken at',
    address: 'Address',
    place: 'Coordinates',
    direction: 'Direction',
    memos: 'Memo',
    client_memos: "Client's memo",
    customs: 'Details',
    gone: 'Deleted picture',
    missing: 'The file is missing',
    damaged: 'The file is damaged',
  },
};
