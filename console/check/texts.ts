// What the page that checks a proof says.

export const en = {
  title: 'Check the proof of a photo',
  about:
    'Nothing leaves this page: it sends no request, and works without a network once it is saved as a file.',
  proof: 'Proof',
  picture: 'Photo',
  checkpoint: 'Checkpoint that you have from elsewhere (optional)',
  checking: 'Checking…',
  good: 'The proof is right',
  bad: 'This proves nothing',
  isVersion: 'The photo is version {version} of the image, the current one.',
  wasVersion: 'The photo is version {version} of the image; the current one is {newest}.',
  image: 'Image',
  log: 'Log',
  size: 'Entries',
  key: 'Key',
  compare:
    'Whether the key is that of the installation, the proof cannot tell: compare it with one that you have from there, or give a checkpoint.',
  same: 'It is the log of your checkpoint.',
  stamp: 'Time stamp',
  stamped:
    '{at}. Who has made it, this page does not check: “imgstore prove --check … --ca …” does, or OpenSSL.',
  history: 'What happened to the image',
  skipped: '{count} entries are left out here.',
  address: 'address',
  // A reason is said as the check says it.
  unreadable: '',
  changed: '',
  time: '',
  none: '',
  otherLog: '',
  otherSize: '',
  otherHistory: '',
  otherPicture: 'The proof is of another photo.',
  tooLarge: 'This file is too large to be what it should be.',
};

export type Words = typeof en;

export const ko: Words = {
  title: '사진의 증명 확인',
  about:
    '이 페이지에서는 아무것도 나가지 않습니다. 요청을 보내지 않으며, 파일로 저장하면 네트워크 없이도 쓸 수 있습니다.',
  proof: '증명 파일',
  picture: '사진',
  checkpoint: '따로 보관한 체크포인트 (선택)',
  checking: '확인하는 중…',
  good: '증명이 맞습니다',
  bad: '아무것도 증명하지 못합니다',
  isVersion: '이 사진은 이미지의 현재 버전({version})입니다.',
  wasVersion: '이 사진은 이미지의 이전 버전({version})입니다. 현재 버전은 {newest}입니다.',
  image: '이미지',
  log: '로그',
  size: '항목 수',
  key: '키',
  compare:
    '이 키가 그 서버의 키인지는 증명만으로 알 수 없습니다. 서버에서 받은 키와 비교하거나 체크포인트를 선택하세요.',
  same: '가지고 있는 체크포인트의 로그와 같습니다.',
  stamp: '시점 확인',
  stamped:
    '{at}. 누가 발급했는지는 이 페이지에서 확인하지 않습니다. “imgstore prove --check … --ca …” 또는 OpenSSL로 확인하세요.',
  history: '이미지의 이력',
  skipped: '여기서 항목 {count}개가 생략되었습니다.',
  address: '주소',
  unreadable: 'imgstore의 증명으로 읽을 수 없는 파일입니다.',
  changed: '증명이 서명된 기록과 맞지 않습니다. 무언가 바뀌었습니다.',
  time: '시점 확인 정보가 함께 있는 체크포인트의 것이 아닙니다.',
  none: '체크포인트가 아닌 파일입니다.',
  otherLog: '증명과 체크포인트의 로그가 서로 다릅니다.',
  otherSize: '증명과 체크포인트의 항목 수가 다릅니다. 같은 수일 때만 비교할 수 있습니다.',
  otherHistory: '증명이 체크포인트와 다른 이력의 것입니다.',
  otherPicture: '다른 사진의 증명입니다.',
  tooLarge: '파일이 너무 큽니다.',
};
