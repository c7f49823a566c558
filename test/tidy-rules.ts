/**
 * The rules of the house that a program can check. Enters: a source file. Leaves: findings, each
 * with file, line and rule. Never: a rule that formatting or a linter checks already.
 */
import ts from 'typescript';

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

type Report = (node: ts.Node, message: string) => void;

const COMMON = ['contract', 'platform'];

/** Which rooms a room may import; `*` is all. A file beside the rooms counts as its own name. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  platform: ['contract'],
  intake: COMMON,
  evidence: COMMON,
  admission: COMMON,
  gate: COMMON,
  link: COMMON,
  ledger: COMMON,
  recovery: COMMON,
  foxglove: COMMON,
  vehicle: [...COMMON, 'link'],
  ros: [...COMMON, 'evidence'],
  engine: [
    ...COMMON,
    'intake',
    'evidence',
    'admission',
    'gate',
    'vehicle',
    'ledger',
    'recovery',
    'link',
  ],
  sim: [...COMMON, 'link', 'ros'],
  cli: ['*'],
  'bridge.ts': ['*'],
  'index.ts': ['*'],
};

/** Where only types may pass, and pure functions by name: the engine never holds a socket. */
const TYPES_ONLY: Readonly<Record<string, readonly string[]>> = {
  'engine→link': ['encodePayload'],
};

const TIMERS = ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval'];

/**
 * The edges: files that touch the machine because that is what they are for, and what each may
 * touch. Everything else takes clock, chance and files as arguments.
 */
export const EDGES: readonly { readonly path: RegExp; readonly may: readonly string[] }[] = [
  { path: /^src\/(platform|cli)\//, may: ['*'] },
  { path: /^src\/link\/udp[a-z-]*\.ts$/, may: ['node:dgram', 'node:net'] },
  { path: /^src\/link\/(resolve|tcp|reconnect)\.ts$/, may: ['node:dns', 'node:net', ...TIMERS] },
  { path: /^src\/link\/(serial|key-file)\.ts$/, may: ['node:fs'] },
  { path: /^src\/ledger\/(files|lock|keys|anchor)\.ts$/, may: ['node:fs', 'process'] },
  { path: /^src\/ros\//, may: ['process', 'node:fs', ...TIMERS] },
  { path: /^src\/foxglove\/door\.ts$/, may: ['node:http'] },
  { path: /^src\/bridge\.ts$/, may: ['process', ...TIMERS] },
  {
    path: /^sim\/(main|[a-z-]*process|[a-z-]*node)\.ts$/,
    may: ['process', 'node:child_process', 'node:fs', 'node:dgram', ...TIMERS],
  },
];

const MACHINE_CALLS = /^(Date\.now|performance\.now|Math\.random)$/;
const MACHINE_NAMES = new Set(['process', 'console', ...TIMERS]);
const MACHINE_MODULES =
  /^node:(fs|dgram|net|dns|http|https|tls|child_process|worker_threads|timers)(\/|$)/;

/** Titles are sentences, and data and tables stand on one line: what only judges may be wider. */
const SIZES = { fileLines: 400, functionLines: 70, columns: 100, testColumns: 140 };

export function findings(file: SourceFile): string[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const report: Report = (node, message) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    found.push(`${file.path}:${line + 1} ${message}`);
  };
  checkText(file, found);
  if (/\.(ts|mjs)$/.test(file.path)) {
    const visit = (node: ts.Node): void => {
      checkNode(file.path, node, source, report);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

function checkText({ path, text }: SourceFile, found: string[]): void {
  const lines = text.split('\n');
  if (lines.length - 1 > SIZES.fileLines) {
    found.push(`${path}:1 has ${lines.length - 1} lines; at most ${SIZES.fileLines}`);
  }
  const columnsMax = /^(test|eval|bench)\//.test(path) ? SIZES.testColumns : SIZES.columns;
  lines.forEach((line, index) => {
    const columns = [...line].length;
    if (columns > columnsMax) {
      found.push(`${path}:${index + 1} has ${columns} columns; at most ${columnsMax}`);
    }
    // In parts, so that this file keeps its own rule.
    if (new RegExp(`\\b(TO${'DO'}|FIX${'ME'}|XX${'X'})\\b`).test(line)) {
      found.push(`${path}:${index + 1} leaves work for later`);
    }
  });
  const opening = text.replace(/^#!.*\n/, '');
  if (/^(src|sim)\//.test(path) && !opening.startsWith('/**')) {
    found.push(`${path}:1 does not open with what enters, leaves and never happens`);
  }
}

function checkNode(path: string, node: ts.Node, source: ts.SourceFile, report: Report): void {
  checkFunctionSize(path, node, source, report);
  if (path.startsWith('test/')) checkTestMarks(node, report);
  if (!/^(src|sim)\//.test(path)) return;
  const imported = importOf(node);
  if (imported !== undefined) checkImport(path, imported, (message) => report(node, message));
  checkMachine(path, node, report);
}

interface Import {
  readonly specifier: string;
  /** What is more than a type; `*` for a whole module. */
  readonly values: readonly string[];
}

/** Static, re-exporting and dynamic imports alike. */
function importOf(node: ts.Node): Import | undefined {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    return { specifier: node.moduleSpecifier.text, values: valuesOf(node.importClause) };
  }
  if (
    ts.isExportDeclaration(node) &&
    node.moduleSpecifier !== undefined &&
    ts.isStringLiteral(node.moduleSpecifier)
  ) {
    return { specifier: node.moduleSpecifier.text, values: node.isTypeOnly ? [] : ['*'] };
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [argument] = node.arguments;
    if (argument !== undefined && ts.isStringLiteral(argument)) {
      return { specifier: argument.text, values: ['*'] };
    }
  }
  return undefined;
}

function valuesOf(clause: ts.ImportClause | undefined): readonly string[] {
  if (clause === undefined) return ['*'];
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return [];
  const named = clause.namedBindings;
  if (clause.name !== undefined || named === undefined || !ts.isNamedImports(named)) return ['*'];
  return named.elements
    .filter((element) => !element.isTypeOnly)
    .map((element) => (element.propertyName ?? element.name).text);
}

function checkImport(path: string, imported: Import, report: (message: string) => void): void {
  const { specifier, values } = imported;
  if (!specifier.startsWith('.')) {
    if (specifier.split('/')[0] === 'rclnodejs' && !path.startsWith('src/ros/')) {
      report('imports rclnodejs outside src/ros');
    }
    const module = specifier.split('/')[0] ?? specifier;
    if (values.length > 0 && MACHINE_MODULES.test(specifier) && !isAllowed(path, module)) {
      report(`touches the machine: ${specifier}`);
    }
    return;
  }
  const target = resolve(path, specifier);
  const [from, to] = [roomOf(path), roomOf(target)];
  if (from === to) return;
  const allowed = MAY_IMPORT[from] ?? [];
  if (!allowed.includes('*') && !allowed.includes(to)) report(`room ${from} imports room ${to}`);
  const pure = TYPES_ONLY[`${from}→${to}`];
  const strays = pure === undefined ? [] : values.filter((name) => !pure.includes(name));
  if (strays.length > 0) report(`${from} takes more than types from ${to}: ${strays.join(', ')}`);
  if (isInRoom(target) && !/\/index\.js$/.test(target)) {
    report(`goes into room ${to} by a window: ${specifier}`);
  }
}

/** `src/gate/lease.ts` is in room `gate`, `sim/world.ts` in `sim`, `src/bridge.ts` is its own. */
export function roomOf(path: string): string {
  const [top = '', second = '', third] = path.split('/');
  if (top !== 'src') return top;
  return third === undefined ? second.replace(/\.js$/, '.ts') : second;
}

const isInRoom = (path: string): boolean => path.startsWith('src/') && path.split('/').length > 2;

function resolve(from: string, specifier: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

const isAllowed = (path: string, thing: string): boolean =>
  EDGES.some(
    (edge) => edge.path.test(path) && (edge.may.includes('*') || edge.may.includes(thing)),
  );

function checkMachine(path: string, node: ts.Node, report: Report): void {
  if (ts.isPropertyAccessExpression(node) && MACHINE_CALLS.test(node.getText())) {
    if (!isAllowed(path, node.getText())) report(node, `touches the machine: ${node.getText()}`);
  }
  if (
    ts.isNewExpression(node) &&
    node.expression.getText() === 'Date' &&
    (node.arguments ?? []).length === 0 &&
    !isAllowed(path, 'Date')
  ) {
    report(node, 'touches the machine: new Date()');
  }
  if (ts.isIdentifier(node) && MACHINE_NAMES.has(node.text) && isUse(node)) {
    if (!isAllowed(path, node.text)) report(node, `touches the machine: ${node.text}`);
  }
}

/** Used as a value: not the name of a property, a key, a declaration or a type. */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isCallExpression(parent)) return true;
  return (
    (ts.isExpression(parent) && !ts.isPropertyAssignment(parent)) ||
    (ts.isVariableDeclaration(parent) && parent.initializer === node) ||
    (ts.isPropertyAssignment(parent) && parent.initializer === node)
  );
}

function checkFunctionSize(
  path: string,
  node: ts.Node,
  source: ts.SourceFile,
  report: Report,
): void {
  if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return;
  // A describe block is a chapter, not a function.
  if (path.startsWith('test/') && ts.isCallExpression(node.parent)) return;
  const first = source.getLineAndCharacterOfPosition(node.getStart(source)).line;
  const last = source.getLineAndCharacterOfPosition(node.getEnd()).line;
  const lines = last - first + 1;
  if (lines > SIZES.functionLines) {
    report(node, `has a function of ${lines} lines; at most ${SIZES.functionLines}`);
  }
}

const MARKS = new Set(['skip', 'only', 'todo', 'skipIf', 'runIf', 'fails']);

function checkTestMarks(node: ts.Node, report: Report): void {
  if (!ts.isPropertyAccessExpression(node) || !MARKS.has(node.name.text)) return;
  if (/^(it|test|describe|suite)\b/.test(node.expression.getText())) {
    report(node, `marks a test: .${node.name.text}`);
  }
}

/** String literals and template parts of a file, for codes and topics. */
export function literalsOf(file: SourceFile): string[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const literals: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      literals.push(node.text);
    } else if (node.kind === ts.SyntaxKind.TemplateHead) {
      literals.push(ts.isTemplateHead(node) ? node.text : '');
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return literals;
}
