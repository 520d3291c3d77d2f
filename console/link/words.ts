// What the page of a link says, in the first of these languages that its reader prefers.

const en = {
  loading: 'Loading…',
  ended: 'This link is no longer open',
  endedMore: 'It has expired, or its owner has closed it. Ask for a new one.',
  unknown: 'There is no such link',
  unknownMore: 'Check that the whole address was copied.',
  unreachable: 'The server cannot be reached',
  again: 'Try again',
  protected: 'This link is protected',
  password: 'Password',
  open: 'Open',
  wrong: 'This is not the password.',
  tooOften: 'Too many wrong passwords. Try again in a minute.',
  pictures: 'Pictures',
  empty: 'There are no pictures here.',
  more: 'Show more',
  picture: 'Picture of {date}',
  viewer: 'Picture, large',
  close: 'Close',
  previous: 'Previous picture',
  next: 'Next picture',
  download: 'Download',
  bareDownloads: 'Downloads have no metadata: originals leave only with links that show places.',
  map: 'Map',
  hideMap: 'Hide map',
  mapLabel: 'Where the pictures were made',
  noMap: 'This browser cannot show the map.',
  choose: 'Choose pictures',
  take: 'Take a picture',
  request: 'Send pictures',
  sent: 'Your pictures',
  noneSent: 'Nothing sent yet.',
  waiting: 'Waiting',
  sending: 'Sending…',
  offline: 'No connection: it is sent as soon as there is one',
  arrived: 'Arrived',
  refused: 'Refused: {reason}',
  remove: 'Remove {name}',
  allArrived: 'All pictures have arrived. You can close this page.',
  someRefused: 'The pictures that were refused are missing; all others have arrived.',
  keepOpen: 'Keep this page open until all have arrived. If you close it, open it again to go on.',
  noRoom: 'there is no room left',
  noPicture: 'it is no picture of a known format',
  broken: 'the picture is damaged',
  tooLarge: 'it is too large',
};

export type Words = typeof en;

const ko: Words = {
  loading: '불러오는 중…',
  ended: '더 이상 열 수 없는 링크입니다',
  endedMore: '기한이 지났거나 주인이 닫았습니다. 새 링크를 요청하세요.',
  unknown: '없는 링크입니다',
  unknownMore: '주소가 모두 복사되었는지 확인하세요.',
  unreachable: '서버에 연결할 수 없습니다',
  again: '다시 시도',
  protected: '비밀번호가 필요한 링크입니다',
  password: '비밀번호',
  open: '열기',
  wrong: '비밀번호가 다릅니다.',
  tooOften: '비밀번호를 너무 많이 틀렸습니다. 1분 뒤에 다시 시도하세요.',
  pictures: '사진',
  empty: '사진이 없습니다.',
  more: '더 보기',
  picture: '{date} 사진',
  viewer: '크게 보기',
  close: '닫기',
  previous: '이전 사진',
  next: '다음 사진',
  download: '내려받기',
  bareDownloads:
    '내려받는 사진에는 메타데이터가 없습니다. 원본은 장소를 보여 주는 링크로만 받을 수 있습니다.',
  map: '지도',
  hideMap: '지도 닫기',
  mapLabel: '사진을 찍은 곳',
  noMap: '이 브라우저에서는 지도를 볼 수 없습니다.',
  choose: '사진 고르기',
  take: '사진 찍기',
  request: '사진 보내기',
  sent: '보낸 사진',
  noneSent: '아직 보낸 사진이 없습니다.',
  waiting: '대기 중',
  sending: '보내는 중…',
  offline: '연결이 끊겼습니다. 연결되면 바로 보냅니다',
  arrived: '도착함',
  refused: '거절됨: {reason}',
  remove: '{name} 지우기',
  allArrived: '사진이 모두 도착했습니다. 이 페이지를 닫아도 됩니다.',
  someRefused: '거절된 사진은 빠졌고, 나머지는 모두 도착했습니다.',
  keepOpen: '모두 도착할 때까지 이 페이지를 열어 두세요. 닫았다면 다시 열면 이어서 보냅니다.',
  noRoom: '저장 공간이 없습니다',
  noPicture: '알 수 없는 형식입니다',
  broken: '손상된 사진입니다',
  tooLarge: '너무 큽니다',
};

const known: Readonly<Record<string, Words>> = { en, ko };

export const language =
  navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in known) ?? 'en';

export const words: Words = known[language] ?? en;

/** A sentence with values for its names in braces. */
export const say = (sentence: string, values: Readonly<Record<string, string>>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => values[name] ?? '');

/** The day and minute of a time of the API, as the reader writes it. */
export function dateText(stamp: string): string {
  const [, year, month, day, hour, minute] =
    /^(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)/.exec(stamp)?.map(Number) ?? [];
  const time = new Date(year ?? 0, (month ?? 1) - 1, day, hour, minute);
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(
    time,
  );
}
