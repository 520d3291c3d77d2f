import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  boundAs,
  boundList,
  fromFields,
  nameList,
  namesOf,
  only,
  propertiesOf,
  selectList,
  toFields,
  valuesOf,
  without,
} from './columns.js';

const columns = {
  id: { type: 'uuid', primary: true },
  madeAt: { name: 'made_at', type: 'timestamptz' },
  location: { type: 'geography', spatialFeatureType: 'Point', srid: 4326, nullable: true },
  isOpen: { name: 'is_open', type: 'boolean', nullable: true },
} as const;

test('a select list reads each column under its property', () => {
  assert.equal(
    selectList(without(columns, 'location'), 'i'),
    'i.id, i.made_at AS "madeAt", i.is_open AS "isOpen"',
  );
  assert.equal(selectList(only(columns, 'isOpen', 'id')), 'is_open AS "isOpen", id');
});

test('columns are chosen by property, in the order of the choice or of the table', () => {
  assert.deepEqual(propertiesOf(only(columns, 'isOpen', 'id')), ['isOpen', 'id']);
  assert.deepEqual(propertiesOf(without(columns, 'madeAt')), ['id', 'location', 'isOpen']);
  assert.deepEqual(namesOf(columns), ['id', 'made_at', 'location', 'is_open']);
  assert.equal(nameList(without(columns, 'location')), 'id, made_at, is_open');
});

test('a bound value is cast to the type of its column', () => {
  assert.equal(boundAs(columns.isOpen, '$3'), '$3::boolean');
  assert.equal(boundAs(columns.location, '$4'), 'ST_GeomFromGeoJSON($4::text)::geography');
  assert.equal(boundList(only(columns, 'isOpen', 'id')), '$1::boolean, $2::uuid');
  assert.deepEqual(valuesOf(only(columns, 'isOpen', 'id'), { id: 'a', isOpen: null }), [null, 'a']);
});

test('rows are converted to fields, and fields to rows; missing values are undefined', () => {
  const some = only(columns, 'id', 'isOpen');
  const fields = toFields(some)({ id: 'a', isOpen: null, madeAt: new Date() });
  assert.deepEqual(fields, { id: 'a', is_open: null });
  assert.deepEqual(fromFields(some)(fields), { id: 'a', isOpen: null });
  assert.deepEqual(fromFields(some)({ is_open: true }), { id: undefined, isOpen: true });
});
