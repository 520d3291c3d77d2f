/**
 * Handlers of events and timers run outside any promise: an exception in one ends the process. This
 * rule accepts as a handler or callback only what cannot throw:
 * - a call of guarded() of src/base/guarded.ts, or a constant that holds one;
 * - the resolve or reject of a promise;
 * - the empty handler `() => undefined`.
 */
const listeners =
  /^(on|once|addListener|prependListener|prependOnceListener|addEventListener|nextTick)$/;
const timers = /^(setTimeout|setInterval|setImmediate|queueMicrotask)$/;
const withCallback = /^(write|end|listen|close|send|setTimeout|exec|execFile|schedule)$/;
const streams = /^(Readable|Writable|Duplex|Transform)$/;

const isFunction = (node) =>
  node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression';

const isEmpty = (node) =>
  node.type === 'ArrowFunctionExpression' &&
  node.body.type === 'Identifier' &&
  node.body.name === 'undefined';

const isOfPromise = (definition) =>
  definition.type === 'Parameter' &&
  definition.node.parent?.type === 'NewExpression' &&
  definition.node.parent.callee.name === 'Promise';

function variableNamed(name, scope) {
  for (let at = scope; at; at = at.upper) if (at.set.has(name)) return at.set.get(name);
  return undefined;
}

function isSafe(node, scope) {
  if (node.type === 'CallExpression') return node.callee.name === 'guarded';
  if (isFunction(node)) return isEmpty(node);
  if (node.type !== 'Identifier') return false;
  return (variableNamed(node.name, scope)?.defs ?? []).some(
    (definition) =>
      isOfPromise(definition) ||
      (definition.type === 'Variable' &&
        definition.parent.kind === 'const' &&
        definition.node.init?.type === 'CallExpression' &&
        isSafe(definition.node.init, scope)),
  );
}

/** The arguments of a call that run later, on their own. */
function handlersOf({ callee, arguments: given, parent }) {
  const name = callee.type === 'MemberExpression' ? callee.property.name : callee.name;
  if (callee.type === 'MemberExpression' && listeners.test(name)) {
    return given.slice(name === 'nextTick' ? 0 : 1, name === 'nextTick' ? 1 : 2);
  }
  if (callee.type === 'Identifier' && timers.test(name)) return given.slice(0, 1);
  // The promise of an awaited call reports what its callback throws; a stream's write has no promise.
  if (parent.type === 'AwaitExpression') return [];
  return withCallback.test(name) ? given.filter(isFunction) : [];
}

const rule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      unguarded:
        'An exception in this handler would end the process: wrap it in guarded() of src/base/guarded.ts, or await the event.',
      stream: 'Stream methods must not throw: use an async generator in a pipeline.',
    },
  },
  create: (context) => ({
    CallExpression(node) {
      const scope = context.sourceCode.getScope(node);
      for (const handler of handlersOf(node)) {
        if (!isSafe(handler, scope)) context.report({ node: handler, messageId: 'unguarded' });
      }
    },
    NewExpression({ callee, arguments: [options] }) {
      if (!streams.test(callee.name) || options?.type !== 'ObjectExpression') return;
      for (const { value } of options.properties) {
        if (isFunction(value)) context.report({ node: value, messageId: 'stream' });
      }
    },
  }),
};

/** The plugin: its one rule is `imgstore/guarded-handlers`. */
export const guardedHandlers = { rules: { 'guarded-handlers': rule } };
