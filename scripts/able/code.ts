/** Source of this repository at an old commit, read from git, and questions about it. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createAsk, type Made, type Texts } from './question.ts';
import type { World } from './world.ts';

const commits = {
  dev: '30f36633142dba61a69c0ed27840729d6399d5ae',
  test: '5d71560a3a9f1d6b18c842ec2d1cbe024402749b',
};

const git = (args: readonly string[], input = ''): Buffer =>
  execFileSync('git', args, {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    input,
    maxBuffer: 64_000_000,
    stdio: ['pipe', 'pipe', 'pipe'],
  });

/**
 * Returns the TypeScript files of src/ at a commit.
 * @throws Error if the clone does not contain the commit.
 */
function sourceAt(commit: string): Texts {
  const names = git(['ls-tree', '-r', '--name-only', '--full-tree', commit, 'src/']).toString().split('\n');
  const wanted = names.filter((name) => name.endsWith('.ts'));
  const batch = git(['cat-file', '--batch'], wanted.map((name) => `${commit}:${name}\n`).join(''));
  const texts = new Map<string, string>();
  let at = 0;
  for (const name of wanted) {
    const head = batch.indexOf('\n', at);
    const end = head + 1 + Number(batch.subarray(at, head).toString().split(' ')[2]);
    texts.set(name, batch.subarray(head + 1, end).toString());
    at = end + 1;
  }
  return texts;
}

/** Files whose text matches. */
const filesWith = (texts: Texts, pattern: RegExp): readonly string[] =>
  [...texts]
    .filter(([, text]) => pattern.test(text))
    .map(([path]) => path.replace(/^.*?src\//, ''))
    .sort();

/** Returns the number that is the value of a constant in a file. */
const constant = (text: string, name: string): number =>
  Number(new RegExp(`^(?:export )?const ${name} = ([\\d_]+);`, 'm').exec(text)![1]!.replaceAll('_', ''));

/** Returns the number after a constant's name, without parsing the language. */
function wordAfter(text: string, name: string): number {
  const words = text.replaceAll('_', '').split(/[\s;]+/);
  return Number(words[words.indexOf('=', words.indexOf(name)) + 1]);
}

const inAnyOrder = ([a, b]: readonly string[]): string =>
  `(?s)${[
    [a!, b!],
    [b!, a!],
  ]
    .map((two) => two.map((path) => path.replaceAll('.', '\\.')).join('.*'))
    .join('|')}`;

/** Makes the source files of a half, and questions about them. */
export function makeCode({ half }: World): Made {
  const folder = `${half}/source`;
  const source = sourceAt(commits[half]);
  const of = (texts: Texts, path: string) => texts.get(`${folder}/src/${path}`)!;
  const own = (texts: Texts) => new Map([...texts].filter(([path]) => path.startsWith(`${folder}/`)));
  const ask = createAsk(folder);
  const [nearest] = filesWith(source, /^export function nearest\(/m);
  const repairing = filesWith(source, /from 'jsonrepair'/);
  const exit = /'too-many-files': \{[^}]*exit: (\d+)/.exec(source.get('src/errors.ts')!)![1]!;
  const length = constant(source.get('src/context/search/line-matcher.ts')!, 'longestPattern');
  const silence = constant(source.get('src/cli/render/progress-lines.ts')!, 'silenceMs') / 1000;
  const drafts = [
    ask('code-0', {}, { pattern: nearest!.replaceAll('.', '\\.') }, (texts) =>
      filesWith(own(texts), /^export function nearest\b/m)
        .join()
        .replaceAll('.', '\\.'),
    ),
    ask('code-1', {}, length, (texts) => wordAfter(of(texts, 'context/search/line-matcher.ts'), 'longestPattern')),
    ask('code-2', {}, { pattern: inAnyOrder(repairing) }, (texts) =>
      inAnyOrder(filesWith(own(texts), /\bjsonrepair\(/)),
    ),
    ask('code-3', {}, ['too-many-files', exit], (texts) => {
      const line = of(texts, 'errors.ts')
        .split('\n')
        .find((one) => one.includes('too-many-files'))!;
      return [line.split("'")[1], line.split('exit: ')[1]!.split(',')[0]];
    }),
    ask('code-4', {}, silence, (texts) => wordAfter(of(texts, 'cli/render/progress-lines.ts'), 'silenceMs') / 1000),
  ];
  return { texts: new Map([...source].map(([path, text]) => [`${folder}/${path}`, text])), drafts };
}
