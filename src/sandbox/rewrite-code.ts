import {
  type AnyNode,
  type CallExpression,
  type Identifier,
  type ModuleDeclaration,
  Parser,
  type Program,
  type Statement,
  type VariableDeclaration,
} from 'acorn';
import MagicString from 'magic-string';

/** Functions that may be called without waiting for the reply. */
const calls = new Set(['llm_query', 'rlm_query']);

/** Accepts repeated declarations, because a later turn may repeat one. The interpreter reports real errors. */
const LenientParser = Parser.extend(
  (Base) =>
    class extends Base {
      protected raiseRecoverable() {}
    },
);

/** Parses code. Null if the code is invalid or nested too deep. */
function parse(code: string): Program | null {
  try {
    return LenientParser.parse(code, { ecmaVersion: 'latest', sourceType: 'script', allowAwaitOutsideFunction: true });
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}

interface Placed<T extends AnyNode = AnyNode> {
  readonly node: T;
  readonly parent: AnyNode | null;
  readonly grandparent: AnyNode | null;
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && typeof (value as { readonly type?: unknown }).type === 'string';

/** Returns all nodes. Not recursive, because call chains may be very deep. */
function nodesOf(program: Program): Placed[] {
  const open: Placed[] = [{ node: program, parent: null, grandparent: null }];
  const all: Placed[] = [];
  for (let placed = open.pop(); placed !== undefined; placed = open.pop()) {
    all.push(placed);
    const { node, parent } = placed;
    const children = Object.values(node).flat().filter(isNode);
    open.push(...children.map((child) => ({ node: child, parent: node, grandparent: parent })));
  }
  return all;
}

/** Turns `let` and `const` into `var`. `let a` becomes `var a=undefined`, since an earlier turn may have set `a`. */
function declareVariables({ kind, start, declarations }: VariableDeclaration, edited: MagicString): void {
  if (kind !== 'let' && kind !== 'const') return;
  edited.overwrite(start, start + kind.length, 'var');
  for (const { id, init } of declarations) if (!init && kind === 'let') edited.appendLeft(id.end, '=undefined');
}

function beginsWithCall(expression: AnyNode): boolean {
  let node = expression;
  let isCalled = false;
  while (node.type === 'CallExpression' || node.type === 'MemberExpression') {
    isCalled = node.type === 'CallExpression';
    node = node.type === 'CallExpression' ? node.callee : node.object;
  }
  return isCalled && /^(?:Identifier|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
}

/** Makes top-level declarations persist. Awaits calls that the code does not await, to notice their failures. */
function rewriteStatement(statement: Statement | ModuleDeclaration, edited: MagicString): void {
  if (statement.type === 'VariableDeclaration') declareVariables(statement, edited);
  if (statement.type === 'ClassDeclaration') {
    edited.appendLeft(statement.start, `var ${statement.id.name} = `).appendRight(statement.end, ';');
  }
  if (statement.type === 'ExpressionStatement' && beginsWithCall(statement.expression)) {
    edited.appendLeft(statement.start, 'await ');
  }
}

/** Turns `FINAL_VAR(name)` into `FINAL_VAR("name", () => name)`, so that an error can name the variable. */
function nameVariable({ callee, arguments: given }: CallExpression, edited: MagicString): void {
  const [name] = given;
  if (callee.type !== 'Identifier' || callee.name !== 'FINAL_VAR' || given.length > 2) return;
  if (name?.type === 'Identifier') edited.overwrite(name.start, name.end, `"${name.name}", () => ${name.name}`);
}

const valueParents =
  /^(?:CallExpression|ExpressionStatement|ReturnStatement|ArrayExpression|ConditionalExpression|LogicalExpression|AwaitExpression)$/;

function isValue(name: AnyNode, parent: AnyNode | null): boolean {
  if (parent?.type === 'ArrowFunctionExpression') return parent.body === name;
  if (parent?.type === 'VariableDeclarator') return parent.init === name;
  if (parent?.type === 'AssignmentExpression') return parent.right === name;
  if (parent?.type === 'Property') return parent.value === name && !parent.shorthand;
  return valueParents.test(parent?.type ?? '');
}

/** Inserts `.later`, which begins a call and returns a promise, so that several calls run concurrently. */
function beginCall({ node, parent, grandparent }: Placed<Identifier>, usesPromises: boolean, edited: MagicString) {
  if (!calls.has(node.name) || !isValue(node, parent)) return;
  const isCalled = parent?.type === 'CallExpression' && parent.callee === node;
  const user = isCalled ? grandparent : parent;
  const isCompared = isCalled && user?.type === 'BinaryExpression';
  if (user?.type === 'AwaitExpression' || (usesPromises && !isCompared)) edited.appendLeft(node.end, '.later');
}

const isNamed = (node: AnyNode, name: string): boolean => node.type === 'Identifier' && node.name === name;

/** Whether a node uses promises, such as `Promise.all` or `.then`. */
const usesPromise = ({ node }: Placed): boolean =>
  node.type === 'MemberExpression' && (isNamed(node.object, 'Promise') || isNamed(node.property, 'then'));

/**
 * Prepares a model's code to run turn by turn: top-level declarations persist and may be repeated, and `llm_query(…)`
 * works with and without `await`. Line numbers do not change. Code that does not parse is returned unchanged.
 */
export function rewriteCode(code: string): string {
  const program = parse(code);
  if (program === null) return code;
  const edited = new MagicString(code);
  const nodes = nodesOf(program);
  const usesPromises = nodes.some(usesPromise);
  for (const statement of program.body) rewriteStatement(statement, edited);
  for (const { node, ...around } of nodes) {
    if (node.type === 'CallExpression') nameVariable(node, edited);
    if (node.type === 'Identifier') beginCall({ node, ...around }, usesPromises, edited);
  }
  return edited.toString();
}
