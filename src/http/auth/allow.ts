import { ServiceError } from '../../base/errors/catalogue.js';
import type { AllowWord, Claims, Scope } from './claims.js';

/** Words that a narrow token needs, all of them; `full` for what none may do. */
export type Needs = readonly AllowWord[] | 'full';

/** What an operation says of its needs. */
interface Declared {
  readonly allow: Needs;
  /** What values of fields need, in place of `allow`, which the other fields need. */
  readonly allowFields?: Readonly<Record<string, Readonly<Record<string, readonly AllowWord[]>>>>;
}

/** What an operation on users needs, too, is what administrators do to platforms. */
const ownWord = (word: AllowWord, scope: Scope): AllowWord =>
  scope === 'admin' && word === 'users' ? 'platforms' : word;

/** Whether a token may do what needs these words; a plain one may do everything. */
export const isAllowed = ({ allow, scope }: Pick<Claims, 'allow' | 'scope'>, needs: Needs) =>
  allow === undefined ||
  (needs !== 'full' && needs.every((word) => allow.includes(ownWord(word, scope))));

/** @throws ServiceError `not_allowed`. */
function assertAllowed(claims: Claims, needs: Needs): void {
  if (isAllowed(claims, needs)) return;
  const words = needs === 'full' ? needs : needs.map((word) => ownWord(word, claims.scope));
  throw new ServiceError('not_allowed', { details: { needs: words } });
}

/**
 * Refuses a request whose fields are not known yet, whatever they are.
 * @throws ServiceError `not_allowed`.
 */
export function assertAnyAllowed(claims: Claims, { allow, allowFields = {} }: Declared): void {
  const others = Object.values(allowFields).flatMap((values) => Object.values(values));
  if (!others.some((needs) => isAllowed(claims, needs))) assertAllowed(claims, allow);
}

const wordOf = (value: unknown): string =>
  value === true ? 'True' : value === false ? 'False' : String(value);

/**
 * @param input the fields as understood. @param given names of those that the request has.
 * @throws ServiceError `not_allowed`.
 */
export function assertFieldsAllowed(
  claims: Claims,
  { allow, allowFields = {} }: Declared,
  input: Readonly<Record<string, unknown>>,
  given: readonly string[],
): void {
  const special = given.map((name) => allowFields[name]?.[wordOf(input[name])]);
  const isPlain = special.length === 0 || special.includes(undefined);
  for (const needs of [isPlain ? allow : undefined, ...special]) {
    if (needs !== undefined) assertAllowed(claims, needs);
  }
}
