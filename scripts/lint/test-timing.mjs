// Defines the linter's rules about time in tests: a busy machine must not fail a test. No test asserts how long something took; `npm run
// bench` measures that. Limits that only end a hanging test are long. A lower bound ("not before it is due") stays true however slow the
// machine is, so that is allowed.

/** @typedef {any} Node of ESTree, as the linter hands it over */

const ELAPSED =
  'A test may not assert how long something took: wait for a condition, or set the clock in the test, or measure it in `npm run bench`.';
const SHORT = 'A limit below 60000 ms can fail a test on a busy machine: leave it out, and the usual one holds.';
const WAIT_FOR = '`vi.waitFor` gives up after a second: use `expect.poll`, or `waitUntil` with a description.';

const UPPER = new Set(['toBeLessThan', 'toBeLessThanOrEqual', 'toBeCloseTo']);
const LOWER = new Set(['toBeGreaterThan', 'toBeGreaterThanOrEqual']);
const RELATIONS = new Set(['<', '<=', '>', '>=']);
/** As in `it.each`. */
const MODIFIERS = new Set(['concurrent', 'each', 'for', 'only', 'runIf', 'sequential', 'skipIf']);
const TESTS = new Set(['it', 'test', 'describe', 'beforeAll', 'beforeEach', 'afterAll', 'afterEach']);
const LEAST_LIMIT_MS = 60_000;

/** @param {Node} node @param {string} object @param {string} property */
const isMember = (node, object, property) =>
  node?.type === 'MemberExpression' && node.object.name === object && node.property.name === property;

/** @param {Node} node whether it reads the clock */
const isRead = (node) =>
  (node.type === 'CallExpression' &&
    (isMember(node.callee, 'performance', 'now') || isMember(node.callee, 'Date', 'now') || isMember(node.callee, 'process', 'hrtime'))) ||
  (node.type === 'NewExpression' && node.callee.name === 'Date' && node.arguments.length === 0);

/** The sources of times in a file. */
class Times {
  /** @param {any} sourceCode of the linter */
  constructor(sourceCode) {
    this.sourceCode = sourceCode;
  }

  /** @param {Node} identifier @returns {Node} what the name stands for: the value of a variable, or a function, or undefined */
  #definition(identifier) {
    for (let scope = this.sourceCode.getScope(identifier); scope !== null; scope = scope.upper) {
      const definition = scope.set.get(identifier.name)?.defs[0];
      if (definition === undefined) continue;
      if (definition.type === 'Variable') return definition.node.init ?? undefined;
      return definition.type === 'FunctionName' ? definition.node : undefined;
    }
    return undefined;
  }

  /** @param {Node} node of a function @returns {Node[]} what it returns */
  #returned(node) {
    if (node.body.type !== 'BlockStatement') return [node.body];
    return node.body.body.flatMap((/** @type {Node} */ statement) => (statement.type === 'ReturnStatement' ? [statement.argument] : []));
  }

  /** @param {Node} node @returns {Node[]} what its value is computed from, as far as a time can come through */
  #parts(node) {
    switch (node.type) {
      case 'CallExpression': {
        const callee = node.callee;
        if (callee.type === 'Identifier') return [callee];
        if (callee.type !== 'MemberExpression') return [];
        return callee.object.name === 'Math' || callee.object.name === 'Number' ? node.arguments : [callee.object, ...node.arguments];
      }
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
      case 'FunctionDeclaration':
        return this.#returned(node);
      case 'MemberExpression':
        return [node.object];
      case 'ObjectExpression':
        return node.properties.map((/** @type {Node} */ property) => property.value ?? property.argument);
      case 'ArrayExpression':
        return node.elements;
      case 'ConditionalExpression':
        return [node.consequent, node.alternate];
      case 'BinaryExpression':
      case 'LogicalExpression':
        return [node.left, node.right];
      default:
        return [node.argument ?? node.expression];
    }
  }

  /**
   * @param {Node} node
   * @param {'read here' | 'read before' | 'read'} how
   * @param {Set<Node>} [seen]
   * @returns {boolean} whether the value of the node has a time in it
   */
  has(node, how, seen = new Set()) {
    if (!node || seen.has(node)) return false;
    seen.add(node);
    if (isRead(node)) return how !== 'read before';
    if (node.type === 'Identifier') {
      const definition = this.#definition(node);
      return how !== 'read here' && definition !== undefined && this.has(definition, 'read', seen);
    }
    return this.#parts(node).some((part) => this.has(part, how, seen));
  }

  /** @param {Node} node @param {Set<Node>} [seen] @returns {boolean} whether it is a time less another one */
  isDifference(node, seen = new Set()) {
    if (!node || seen.has(node)) return false;
    seen.add(node);
    if (node.type === 'BinaryExpression' && node.operator === '-' && this.has(node.right, 'read')) return true;
    if (node.type === 'Identifier') return this.isDifference(this.#definition(node), seen);
    return this.#parts(node).some((part) => this.isDifference(part, seen));
  }

  /** @param {Node} node @returns {number | undefined} a number that is written down, here or as a constant */
  numberOf(node) {
    if (node?.type === 'Literal' && typeof node.value === 'number') return node.value;
    const definition = node?.type === 'Identifier' ? this.#definition(node) : undefined;
    return definition?.type === 'Literal' && typeof definition.value === 'number' ? definition.value : undefined;
  }
}

/** @param {Node} node @returns {Node} what `expect` is given, in `expect(…).not.toBe…(…)` */
function subjectOf(node) {
  let object = node.callee.object;
  while (object?.type === 'MemberExpression') object = object.object;
  return object?.type === 'CallExpression' && object.callee.name === 'expect' ? object.arguments[0] : undefined;
}

/** @param {Times} times @param {Node} node a call of a matcher @param {Node} subject */
function isBoundOnTime(times, node, subject) {
  const [bound] = node.arguments;
  const matcher = node.callee.property.name;
  if (subject.type === 'BinaryExpression' && RELATIONS.has(subject.operator) && times.has(subject, 'read')) return true;
  if (UPPER.has(matcher)) {
    // A value that may grow with the time of reading is no bound.
    return times.has(subject, 'read') || (times.has(bound, 'read before') && !times.has(bound, 'read here'));
  }
  return LOWER.has(matcher) && (times.has(bound, 'read here') || times.isDifference(bound));
}

/** @param {Node} node @param {string} name @returns {Node} the value of a member of an object that is written down */
function memberOf(node, name) {
  if (node?.type !== 'ObjectExpression') return undefined;
  return node.properties.find((/** @type {Node} */ property) => property.key?.name === name)?.value;
}

/** @param {Node} node @returns {string | undefined} `it` of `it.each(…)(…)` */
function nameOf(node) {
  if (node?.type === 'Identifier') return node.name;
  if (node?.type === 'MemberExpression') return MODIFIERS.has(node.property.name) ? nameOf(node.object) : undefined;
  return node === undefined ? undefined : nameOf(node.callee ?? node.tag);
}

/** @param {Node} node a call @returns {Node[]} where it may have a limit, in milliseconds */
function limitsOf({ callee, arguments: given }) {
  const name = nameOf(callee);
  if (name === 'waitUntil') return [memberOf(given[1], 'timeoutMs')];
  if (isMember(callee, 'expect', 'poll')) return [memberOf(given[1], 'timeout')];
  return name !== undefined && TESTS.has(name) ? [memberOf(given[1], 'timeout'), given.length > 1 ? given.at(-1) : undefined] : [];
}

export default {
  meta: { name: 'test-timing' },
  rules: {
    'no-elapsed-time': {
      create(/** @type {any} */ context) {
        const times = new Times(context.sourceCode);
        return {
          CallExpression(/** @type {Node} */ node) {
            if (node.callee.type !== 'MemberExpression') return;
            const subject = subjectOf(node);
            if (subject !== undefined && isBoundOnTime(times, node, subject)) context.report({ node, message: ELAPSED });
          },
        };
      },
    },
    'no-short-limit': {
      create(/** @type {any} */ context) {
        const times = new Times(context.sourceCode);
        return {
          CallExpression(/** @type {Node} */ node) {
            if (isMember(node.callee, 'vi', 'waitFor')) context.report({ node, message: WAIT_FOR });
            for (const limit of limitsOf(node)) {
              const ms = limit === undefined ? undefined : times.numberOf(limit);
              if (ms !== undefined && ms < LEAST_LIMIT_MS) context.report({ node: limit, message: SHORT });
            }
          },
        };
      },
    },
  },
};
