/** A solver of the generated tasks that uses only the question and the text, and a guesser. */

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)];

function solveNeedles(question: string, text: string): string {
  const keys = question.slice(question.indexOf(' for ') + 5, question.indexOf(' mentioned')).split(', ');
  const found = matches(text, /special magic \w+ for (\S+) is: (\S+)\./g).filter(([, key]) => keys.includes(key!));
  return found.map(([, , value]) => value).join(', ');
}

const kindOf = (line: string): string => {
  const asked = line.slice(line.indexOf('Instance: ') + 10);
  if (/^(How many|In what year)/.test(asked)) return 'number';
  if (/^(Where|What city)/.test(asked)) return 'location';
  if (/^Who/.test(asked)) return 'person';
  if (/stand for|full form/.test(asked)) return 'abbreviation';
  return /^Why|meaning/.test(asked) ? 'description' : 'entity';
};

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

interface Line {
  readonly month: number;
  readonly user: string;
  readonly kind: string;
}

const readLines = (text: string): Line[] =>
  matches(text, /^Date: (\w{3}) \d\d, 2022 \|\| User: (\d+) \|\| Instance: .*$/gm).map(([line, month, user]) => {
    return { month: months.indexOf(month!), user: user!, kind: kindOf(line) };
  });

const allKinds = ['number', 'entity', 'location', 'description', 'abbreviation', 'person'];

function solveOolong(question: string, text: string): string {
  const user = /of user (\d+)/.exec(question)?.[1];
  const [, from, to] = /from (\w{3}) to (\w{3})/.exec(question) ?? [];
  const lines = readLines(text).filter(
    (line) =>
      (user === undefined || line.user === user) &&
      (from === undefined || (line.month >= months.indexOf(from) && line.month <= months.indexOf(to!))),
  );
  const count = (kind: string) => lines.filter((line) => line.kind === kind).length;
  const [, counted] = /of the kind (\w+)/.exec(question) ?? [];
  if (counted !== undefined) return `Answer: ${count(counted)}`;
  const [, a, b] = /Is the kind (\w+) more common than (\w+),/.exec(question) ?? [];
  if (a !== undefined) return `Answer: ${count(a) > count(b!) ? 'more' : count(a) < count(b!) ? 'less' : 'equally'}`;
  return `Answer: ${[...allKinds].sort((one, other) => count(other) - count(one))[0]}`;
}

function solvePairs(question: string, text: string): string {
  const lines = readLines(text);
  const users = [...new Set(lines.map(({ user }) => Number(user)))].sort((a, b) => a - b);
  const count = (user: number, kind: string) =>
    lines.filter((line) => Number(line.user) === user && line.kind === kind).length;
  const kinds = allKinds.filter((kind) => question.slice(question.indexOf('such that')).includes(` ${kind}`));
  const asked = question.slice(question.indexOf('such that'));
  const holds = (one: number, other: number): boolean => {
    const [, a, b] = /of the kind (\w+) and the other has exactly one of the kind (\w+)/.exec(asked) ?? [];
    if (a !== undefined) return count(one, a) > 0 && count(other, b!) === 1;
    if (asked.includes('at least two')) return [one, other].every((user) => count(user, kinds[0]!) >= 2);
    return [one, other].every((user) => kinds.some((kind) => count(user, kind) > 0));
  };
  return users
    .flatMap((one, at) => users.slice(at + 1).map((other) => [one, other] as const))
    .filter(([one, other]) => holds(one, other) || holds(other, one))
    .map(([one, other]) => `(${one}, ${other})`)
    .join('\n');
}

function solveMultihop(question: string, text: string): string {
  const verbs: Record<string, string> = {
    leader: 'is led by',
    trainer: 'was trained by',
    'office mate': 'shares an office with',
    superior: 'reports to',
  };
  const steps = matches(question, /the (leader|trainer|office mate|superior) of/g).map(([, step]) => verbs[step!]!);
  let at = `Project ${/Project (\w+)\?/.exec(question)![1]}`;
  for (const verb of steps.reverse()) at = new RegExp(`\\b${at} ${verb} (\\w+)\\.`).exec(text)![1]!;
  return `Answer: ${at}`;
}

/** Functions that compute the right answer, by kind of task. */
export const solvers: Readonly<Record<string, (question: string, text: string) => string>> = {
  niah: solveNeedles,
  oolong: solveOolong,
  pairs: solvePairs,
  multihop: solveMultihop,
};

/** Returns a random answer of the right form. `pick` chooses one of a number of options. */
export const guessers: Readonly<
  Record<string, (question: string, text: string, pick: (count: number) => number) => string>
> = {
  niah: (_, text, pick) => {
    const found = matches(text, /\w{4,}/g);
    return found[pick(found.length)]![0];
  },
  oolong: (question, _, pick) => {
    const forms = question.includes('How many')
      ? ['1000']
      : question.includes('Is the kind')
        ? ['more', 'less', 'equally']
        : allKinds;
    return `Answer: ${forms[pick(forms.length)]}`;
  },
  pairs: (_, text, pick) => {
    const users = [...new Set(readLines(text).map(({ user }) => user))];
    return `(${users[pick(users.length)]}, ${users[pick(users.length)]})`;
  },
  multihop: (_, text, pick) => {
    const names = matches(text, /(?:by|with|to) ([A-Z]\w+)\./g);
    return `Answer: ${names[pick(names.length)]![1]}`;
  },
};
