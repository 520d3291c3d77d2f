// Small changes to compiled code, each of which a test should notice: in JavaScript by the syntax tree,
// in SQL, which is in template strings, by words.
import ts from 'typescript';

const { SyntaxKind: Kind } = ts;

/** The range that a change replaces, and its text. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Mutation extends Change {
  readonly kind: string;
}

/** Operators by what each becomes. */
const binary: Readonly<Record<string, readonly [kind: string, becomes: string]>> = {
  '<': ['boundary', '<='],
  '<=': ['boundary', '<'],
  '>': ['boundary', '>='],
  '>=': ['boundary', '>'],
  '===': ['comparison', '!=='],
  '!==': ['comparison', '==='],
  '&&': ['and, or', '||'],
  '||': ['and, or', '&&'],
  '+': ['arithmetic', '-'],
  '-': ['arithmetic', '+'],
  '*': ['arithmetic', '/'],
  '/': ['arithmetic', '*'],
};

const opposites: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
};

/** Above, numbers are limits that were chosen: one more is as good. */
const largestExact = 100;
/** The same for times and sizes. */
const inUnits = /\b(secondMs|minuteMs|hourMs|dayMs|bytesPer\w+)\b|1024/;

/** Which side the very moment belongs to is for nobody to notice. */
const moments = /\bnow\b|[mM]s\b|At\b|deadline/;

/** Columns are compared with the tables by src/ops/service-database.test.ts. */
const ofColumns = ['nullable', 'default', 'primary', 'array'];

/** Log lines are for people. */
const logs = /\blog(ger)?\??\.(debug|info|warn|error)\(/i;

const change = (kind: string, node: ts.Node, text: string): Mutation[] => [
  { kind, start: node.getStart(), end: node.end, text },
];

function inBinary(node: ts.BinaryExpression): Mutation[] {
  const operator = node.operatorToken;
  if (operator.kind === Kind.QuestionQuestionToken)
    return node.right.kind === Kind.NullKeyword
      ? [] // the same for the database
      : change('default', node, node.left.getText());
  const [kind, text] = binary[operator.getText()] ?? [];
  const joinsText = kind === 'arithmetic' && /["'`]/.test(node.getText());
  if (kind === 'boundary' && moments.test(node.getText())) return [];
  return kind && text && !joinsText ? change(kind, operator, text) : [];
}

/** Conditions that no other change negates. */
const negated = (condition: ts.Expression): Mutation[] =>
  ts.isBinaryExpression(condition) || ts.isPrefixUnaryExpression(condition)
    ? []
    : change('condition', condition, `!(${condition.getText()})`);

function inStatement(node: ts.ExpressionStatement): Mutation[] {
  const { expression } = node;
  const effect = ts.isAwaitExpression(expression) ? expression.expression : expression;
  const assigns =
    ts.isBinaryExpression(effect) &&
    /^([-+*/]|\?\?|&&|\|\|)?=$/.test(effect.operatorToken.getText());
  if (!assigns && !ts.isCallExpression(effect)) return [];
  const text = effect.getText();
  if (logs.test(text) || text.startsWith('super(') || /^this\.#?\w+ = /.test(text)) return [];
  return change('statement', node, ';'); // lint refuses promises that nothing awaits
}

/** The function returns at once. */
function inFunction(node: ts.SignatureDeclaration): Mutation[] {
  const body = 'body' in node ? node.body : undefined;
  const first = body && ts.isBlock(body) ? body.statements[0] : undefined;
  if (!first || ts.isConstructorDeclaration(node) || ts.isAccessor(node)) return [];
  return [{ kind: 'return', start: first.getStart(), end: first.getStart(), text: 'return; ' }];
}

function inReturn({ expression }: ts.ReturnStatement): Mutation[] {
  return expression && ts.isAwaitExpression(expression)
    ? change('await', expression, expression.expression.getText())
    : [];
}

function inCall({ expression: callee }: ts.CallExpression): Mutation[] {
  if (!ts.isPropertyAccessExpression(callee)) return [];
  const name = callee.name.text;
  const opposite = Object.hasOwn(opposites, name) ? opposites[name] : undefined;
  return opposite === undefined ? [] : change('opposite', callee.name, opposite);
}

const isOfColumn = ({ parent }: ts.Node): boolean =>
  ts.isPropertyAssignment(parent) && ofColumns.includes(parent.name.getText());

/** What becomes of a node of JavaScript. */
function inScript(node: ts.Node): Mutation[] {
  if (ts.isBinaryExpression(node)) return inBinary(node);
  if (ts.isPrefixUnaryExpression(node))
    return node.operator === Kind.ExclamationToken
      ? change('condition', node, `(${node.operand.getText()})`)
      : [];
  if (ts.isIfStatement(node)) return negated(node.expression);
  if (ts.isConditionalExpression(node)) return negated(node.condition);
  if (ts.isExpressionStatement(node)) return inStatement(node);
  if (ts.isThrowStatement(node)) return change('statement', node, ';');
  if (ts.isReturnStatement(node)) return inReturn(node);
  if (ts.isCallExpression(node)) return inCall(node);
  if (ts.isNumericLiteral(node))
    return Number(node.text) > largestExact || inUnits.test(node.parent.getText())
      ? []
      : change('number', node, `(${node.getText()} + 1)`);
  if (node.kind === Kind.TrueKeyword)
    return isOfColumn(node) ? [] : change('boolean', node, 'false');
  if (node.kind === Kind.FalseKeyword) return change('boolean', node, 'true');
  return ts.isFunctionLike(node) ? inFunction(node) : [];
}

const sql = /\b(SELECT|INSERT INTO|UPDATE \w+|DELETE FROM|WHERE|FROM \w+|ORDER BY)\b/;

/** Words of SQL by what each becomes. */
const inSql: readonly (readonly [kind: string, word: RegExp, become: (found: string) => string])[] =
  [
    [
      'SQL boundary',
      /(?<=\s)(?<!now\(\)\s)[<>]=?(?=\s)(?!\snow\(\))/g,
      (sign) => binary[sign]?.[1] ?? sign,
    ],
    ['SQL order', /\bDESC\b/g, () => 'ASC'],
    [
      'SQL order',
      /ORDER BY [\w.", ]+?(?<!DESC)(?=\s+LIMIT\b|\s+FOR\b|[`)])/g,
      (all) => `${all} DESC`,
    ],
    [
      'SQL lock',
      /\bFOR (UPDATE|SHARE|NO KEY UPDATE|KEY SHARE)( OF \w+)?( SKIP LOCKED)?/g,
      () => '',
    ],
    ['SQL null', /\bIS NULL\b/g, () => 'IS NOT NULL'],
    ['SQL null', /\bIS NOT NULL\b/g, () => 'IS NULL'],
    ['SQL exists', /\bNOT EXISTS\b/g, () => 'EXISTS'],
    ['SQL arithmetic', /(?<=[\w)}] )[-+](?= [\w($])/g, (sign) => (sign === '+' ? '-' : '+')],
    ['SQL distinct', /\bDISTINCT\b(?! ON| FROM)/g, () => ''],
  ];

const afterCondition =
  /^(AND|OR|THEN|ELSE|END|ORDER BY|GROUP BY|LIMIT|RETURNING|FOR|UNION|ON CONFLICT|HAVING|LEFT|JOIN|SET|WHEN)\b/;

/** The end of a condition: the next word of its level, or what closes that. */
function conditionEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if ('([{'.includes(letter)) depth += 1;
    if (')]}'.includes(letter) && --depth < 0) return at;
    if (depth === 0 && (letter === '`' || letter === ';')) return at;
    if (depth === 0 && /\s/.test(text.charAt(at - 1)) && afterCondition.test(text.slice(at)))
      return at;
  }
  return text.length - 1;
}

/** Conditions that hold for every row; their parameters remain, or the statement would be an error. */
function* openConditions(text: string): Generator<Change> {
  for (const { 0: word, index } of text.matchAll(/\b(AND|WHERE)\s+/g)) {
    if (/BETWEEN\s+\S+\s+$/.test(text.slice(0, index))) continue;
    const start = index + word.length;
    const condition = text.slice(start, conditionEnd(text, start)).trimEnd();
    if (!condition || condition.includes('--')) continue;
    yield { start, end: start + condition.length, text: `(${condition} OR TRUE)` };
  }
}

function inTemplate(node: ts.Node): Mutation[] {
  const text = node.getText();
  const at = node.getStart();
  if (!sql.test(text)) return [];
  const words = inSql.flatMap(([kind, word, become]) =>
    [...text.matchAll(word)].map(({ 0: found, index }) => ({
      kind,
      start: at + index,
      end: at + index + found.length,
      text: become(found),
    })),
  );
  const conditions = [...openConditions(text)].map((open) => ({
    kind: 'SQL condition',
    text: open.text,
    start: at + open.start,
    end: at + open.end,
  }));
  return [...words, ...conditions];
}

/** All mutations. @param code JavaScript. */
export function mutationsOf(code: string): Mutation[] {
  const file = ts.createSourceFile('m.js', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const found = new Map<string, Mutation>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    const isText = ts.isTemplateExpression(node) || ts.isStringLiteralLike(node);
    const changes = isText ? inTemplate(node) : inScript(node);
    for (const one of changes) found.set(`${one.start} ${one.end} ${one.text}`, one);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...found.values()];
}

/** The changed code. */
export const mutated = (code: string, { start, end, text }: Change): string =>
  code.slice(0, start) + text + code.slice(end);

const around = 60; // characters
const short = 30; // characters of a line that occurs more than once in a file

/** The changed line before and after, shortened around the change; after a line before it if it is short. */
export function describeMutation(code: string, mutation: Change): string {
  const startOfLine = (at: number): number => code.lastIndexOf('\n', at - 1) + 1;
  const line = startOfLine(mutation.start);
  const lineEnd = code.indexOf('\n', mutation.end);
  const first = lineEnd - line < short ? startOfLine(line - 1) : line;
  const before = code.slice(Math.max(first, mutation.start - around), mutation.start);
  const after = code.slice(mutation.end, Math.min(lineEnd, mutation.end + around));
  const text = (middle: string): string => `${before}${middle}${after}`.replace(/\s+/g, ' ').trim();
  return `${text(code.slice(mutation.start, mutation.end))} → ${text(mutation.text)}`;
}
