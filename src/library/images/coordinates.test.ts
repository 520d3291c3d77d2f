import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../base/errors/catalogue.js';
import { atPrecision, readCoordinates, toPoint } from './coordinates.js';

test('a location may use either pair of names, and 0 is a valid coordinate', () => {
  assert.deepEqual(readCoordinates({ latitude: 0, longitude: 0 }), { latitude: 0, longitude: 0 });
  assert.deepEqual(readCoordinates({ lat: 1, lng: -2 }), { latitude: 1, longitude: -2 });
  assert.equal(readCoordinates({}), undefined);
});

test('two empty coordinates clear the location; a single one is a mistake', () => {
  assert.equal(readCoordinates({ latitude: null, longitude: null }), null);
  const halves = [{ latitude: 1 }, { lng: 1 }, { latitude: 1, longitude: null }, { lat: null }];
  for (const half of halves) {
    assert.throws(
      () => readCoordinates(half),
      (error) => error instanceof ServiceError && error.code === 'missing_field',
    );
  }
});

test('locations are rounded to 7 decimals, and there is only one zero', () => {
  const { latitude, longitude } = atPrecision({ latitude: 1.23456784, longitude: -0.00000001 });
  assert.ok(latitude === 1.2345678 && Object.is(longitude, 0));
  assert.deepEqual(toPoint({ latitude: 1, longitude: 2 })?.coordinates, [2, 1]);
  assert.equal(toPoint(null), null);
});
