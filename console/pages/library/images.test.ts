import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChangingList, imageOn, look, settledIn } from './testing';
import { Images } from './images';
import { Selection } from './selection';

const long = [
  [20240305, 40],
  [20240304, 250],
  [20240303, 3],
  [20240302, 90],
  [20240301, 700],
] as const;

const shownIn = (images: Images, first: number, end: number) =>
  Array.from({ length: end - first }, (_, n) => images.at(first + n)?.id);

test('days lay the list out; of its images those in view are read, short days with their neighbors', async () => {
  const list = new ChangingList(long);
  const images = new Images(list.source);
  await look(images, 0, 45);
  assert.equal(images.total, 1_083);
  assert.deepEqual(shownIn(images, 0, 40), list.ids.slice(0, 40));
  assert.deepEqual(list.asked, ['all 0+100', 'days', '20240304-20240304 0+100']);

  list.asked.length = 0;
  await look(images, 285, 300);
  assert.deepEqual(list.asked, ['20240304-20240304 200+50', '20240302-20240303 0+93']);
  assert.deepEqual(shownIn(images, 285, 300), list.ids.slice(285, 300));
  assert.deepEqual(images.spotAt(291), { id: list.ids[291], date: 20240303, n: 1 });
  images.stop();
});

test('what is scrolled past is not read, and a part goes on where the one before it ended', async () => {
  const list = new ChangingList(long);
  const images = new Images(list.source);
  await look(images, 0, 45);
  list.asked.length = 0;
  for (let first = 40; first < 1_000; first += 10) images.see(first, first + 45);
  await look(images, 983, 1_083);
  assert.deepEqual(list.asked, ['20240301-20240301 600+100']);
  await look(images, 583, 683);
  await look(images, 683, 783);
  assert.deepEqual(list.asked.slice(1), ['20240301-20240301 200+100', '20240301-20240301 on+100']);
  assert.deepEqual(shownIn(images, 583, 783), list.ids.slice(583, 783));
  images.stop();
});

test('what is not in view is forgotten after others; its place is known all the same', async () => {
  const list = new ChangingList([[20240301, 6_000]]);
  const images = new Images(list.source);
  for (let first = 0; first < 4_500; first += 900) await look(images, first, first + 900);
  assert.equal(images.at(0), undefined);
  assert.equal(images.at(4_499)?.id, list.ids[4_499]);
  assert.deepEqual(images.spotAt(10), { id: undefined, date: 20240301, n: 10 });
  images.stop();
});

test('an image keeps the focus wherever others arrive, and gives it to its neighbor when it goes', async () => {
  for (const days of [[[20240305, 60]], long] as const) {
    const list = new ChangingList(days);
    const images = new Images(list.source);
    await look(images, 0, 60);
    const focused = images.spotAt(10);
    const news = ['a', 'b', 'c'].map((id) => imageOn(20240306, id));
    news.push(imageOn(20240305, 'd'));
    list.add(...news);
    images.refresh(news.map(({ id }) => id));
    await settledIn(images, 0, 60);
    await until(() => images.total === list.all.length && images.get('a') !== undefined);
    const now = images.settled(focused);
    assert.equal(now.id, focused.id);
    assert.equal(images.indexOf(now), 14);
    assert.deepEqual(shownIn(images, 0, 60), list.ids.slice(0, 60));

    const next = list.ids[15];
    list.remove(now.id ?? '');
    images.refresh([now.id ?? ''], [now.id ?? '']);
    await until(() => images.get(now.id) === undefined);
    assert.equal(images.settled(now).id, next);
    images.stop();
  }
});

test('of a day of very many, an image that is pushed out of what has been read keeps the focus', async () => {
  const list = new ChangingList([[20240305, 900]]);
  const images = new Images(list.source);
  await look(images, 0, 100);
  const focused = images.spotAt(99);
  list.add(imageOn(20240305, 'new'));
  images.refresh(['new']);
  await until(() => images.get('new') !== undefined && images.total === 901);
  assert.equal(images.settled(focused).id, focused.id);
  await look(images, 90, 110);
  assert.deepEqual(images.settled(focused), { ...focused, n: 100 });
  images.stop();
});

test('short days are read together, also those that a reader scrolls to next', async () => {
  const list = new ChangingList(
    Array.from({ length: 400 }, (_, n) => [20_240_400 - n, 1] as const),
  );
  const images = new Images(list.source);
  await look(images, 0, 40);
  assert.equal(list.asked.length, 2);
  list.asked.length = 0;
  for (const first of [80, 90, 100, 120]) await look(images, first, first + 40);
  assert.equal(list.asked.length, 1);
  await look(images, 320, 360);
  for (const first of [310, 300, 280]) await look(images, first, first + 40);
  assert.ok(list.asked.length <= 3, list.asked.join());
  images.stop();
});

test('nothing is asked again that has not changed', async () => {
  const list = new ChangingList(long);
  const images = new Images(list.source);
  await look(images, 250, 330);
  list.asked.length = 0;
  images.refresh([]);
  await until(() => list.asked.length > 0);
  await settledIn(images, 250, 330);
  assert.deepEqual(list.asked, ['days']);

  // One of a day in view has changed: that day, and no other.
  list.add();
  images.refresh(['20240303-1']);
  await until(() => list.asked.includes('20240303-20240303 0+3'));
  await settledIn(images, 250, 330);
  assert.deepEqual(list.asked.slice(1), ['days', '20240303-20240303 0+3']);
  list.asked.length = 0;

  // What nobody looks at costs nothing, until it is looked at again.
  images.stop();
  list.remove('20240303-1');
  images.refresh(['20240303-1']);
  assert.deepEqual(list.asked, []);
  await look(images, 250, 330);
  await until(() => images.total === 1_082);
  assert.equal(images.get('20240303-1'), undefined);
  images.stop();
});

test('a list that changes while it is read is whole in the end, each image once', async () => {
  const list = new ChangingList([[20240305, 30]]);
  const images = new Images(list.source);
  await look(images, 0, 40);
  let release = (): void => undefined;
  list.held = new Promise((resolve) => (release = resolve));
  for (let n = 0; n < 60; n += 1) {
    const image = imageOn(20240305, `new-${n}`);
    list.add(image);
    images.refresh([image.id]);
    if (n === 30) release();
    await Promise.resolve();
  }
  release();
  await until(() => images.total === 90);
  await look(images, 0, 90);
  assert.deepEqual(shownIn(images, 0, 90), list.ids);
  images.stop();
});

test('images are selected one by one, as a range, as a day and all, also those that were never in view', async () => {
  const list = new ChangingList(long);
  const images = new Images(list.source);
  const selection = new Selection(images);
  await look(images, 0, 45);
  for (const index of [3, 3, 5]) selection.toggle(index);
  assert.deepEqual(selection.ids, [list.ids[5]]);
  selection.toggle(900);
  assert.deepEqual(selection.ids, [list.ids[5]], 'what is not there cannot be selected');
  selection.startAt(5);
  await selection.extendTo(2);
  assert.deepEqual(selection.ids, list.ids.slice(2, 6));

  // A day: once more, and it is selected no longer.
  await selection.toggleRange(40, 290);
  assert.equal(selection.countOn(20240304), 250);
  await selection.toggleRange(40, 290);
  assert.deepEqual(selection.ids, list.ids.slice(2, 6));

  // From what is in view to what was never in view.
  selection.startAt(38);
  await selection.extendTo(310);
  assert.deepEqual(selection.ids, list.ids.slice(38, 311));

  await selection.all();
  assert.deepEqual(selection.ids, list.ids);
  selection.drop(['20240305-0']);
  assert.equal(selection.chosen.value.size, 1_082);
  selection.clear();
  assert.deepEqual(selection.ids, []);
  images.stop();
});

test('after arrivals, all is what the list has then, and an anchor is the image that it was', async () => {
  const list = new ChangingList([[20240305, 20]]);
  const images = new Images(list.source);
  const selection = new Selection(images);
  await look(images, 0, 30);
  selection.startAt(4);
  const news = ['a', 'b', 'c'].map((id) => imageOn(20240306, id));
  list.add(...news);
  images.refresh(news.map(({ id }) => id));
  await until(() => images.get('a') !== undefined);
  await selection.extendTo(9);
  assert.deepEqual(selection.ids, list.ids.slice(7, 10));
  await selection.all();
  assert.deepEqual(selection.ids, list.ids);
  images.stop();
});

test('what is selected meanwhile is not replaced by a selection that is still read', async () => {
  const list = new ChangingList(long);
  const images = new Images(list.source);
  const selection = new Selection(images);
  await look(images, 0, 45);
  const all = selection.all();
  selection.clear();
  await all;
  assert.equal(selection.chosen.value.size, 0);
  assert.equal(selection.isReading.value, false);
  images.stop();
});

async function until(holds: () => boolean): Promise<void> {
  for (let n = 0; n < 500 && !holds(); n += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(holds());
}

test('memos are asked for where they are shown, also of what was read or asked for without them', async () => {
  const list = new ChangingList(long);
  const images = new Images(list.source);
  await look(images, 200, 240);
  list.asked.length = 0;
  let arrive = (): void => undefined;
  list.held = new Promise((resolve) => (arrive = resolve));
  images.see(900, 940);
  await until(() => list.asked.length === 1);
  images.askForMemos();
  arrive();
  await until(() => list.asked.length === 2);
  await look(images, 900, 940);
  await look(images, 210, 230);
  assert.deepEqual(list.asked, [
    '20240301-20240301 500+100',
    '20240301-20240301 500+100 memos',
    '20240304-20240304 100+100 memos',
  ]);
  images.stop();
});

test('what a frame touches is selected besides what is kept, also what nobody has read', async () => {
  const list = new ChangingList(long);
  const images = new Images(list.source);
  const selection = new Selection(images);
  await look(images, 0, 45);
  selection.toggle(3);
  const kept = selection.chosen.peek();
  await selection.mark([10, 11, 20, 900, 902], kept);
  const touched = [3, 10, 11, 20, 900, 902].map((index) => list.ids[index]);
  assert.deepEqual(selection.ids, touched);
  await selection.mark([10], new Map());
  assert.deepEqual(selection.ids, [list.ids[10]]);
  await selection.extendTo(12);
  assert.equal(selection.ids.length, 3, 'a range goes on from there');
  await selection.mark([], kept);
  assert.deepEqual(selection.ids, [list.ids[3]], 'taken back');
  images.stop();
});
