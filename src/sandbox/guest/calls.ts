/**
 * The guest's functions that call a model. They wait for the reply, so code with and without `await` works. Where code
 * uses promises, `rewriteCode` inserts `.later`, which begins a call and returns a promise.
 */
import { type Hit, hitPlace } from './hits.ts';
import { lengthOf, placeOf, readPart, shown } from './text.ts';

const mostRanges = 16;
const mostPrompts = 1_000;

interface Pending {
  /** Number of the call in its turn, from 1. */
  readonly call: number;
  reply: { readonly text: string; readonly isFailure: boolean } | null;
  resolve(text: string): void;
  reject(error: Error): void;
}
const waiting = new Map<number, Pending>();

/** Replaces NUL, which would end a text on its way to the host. */
export const plain = (text: string) => text.replaceAll('\0', '\uFFFD');

/** Converts a value to text. Throws TypeError for null, undefined and empty text. */
export function toText(value: unknown, what: string): string {
  if (value === undefined || value === null) throw new TypeError(`${what} is ${value}: give a text`);
  const text =
    typeof value === 'object' && placeOf(value) === null && !(value instanceof Answer)
      ? JSON.stringify(value)
      : String(value);
  if (text.trim() === '') throw new TypeError(`${what} is empty`);
  return plain(text);
}

const rangesIn = (texts: readonly string[]) => {
  const found = shown.filter(({ string }) => texts.some((text) => text.includes(string)));
  return JSON.stringify(found.slice(-mostRanges).map(({ from, to }) => [from, to]));
};

/** A promise of a reply. It can also be used as a string: then the code waits for the reply. */
class Answer extends Promise<string> {
  static override get [Symbol.species]() {
    return Promise;
  }
}
const pendings = new WeakMap<Answer, Pending>();
function textOf(answer: Answer): string {
  const { call, reply } = pendings.get(answer)!;
  if (reply === null) return host.wait(call);
  if (reply.isFailure) throw new Error(reply.text);
  return reply.text;
}
const strings = String.prototype as unknown as Record<string, unknown>;
for (const name of Object.getOwnPropertyNames(strings)) {
  const method = strings[name];
  if (name === 'constructor' || typeof method !== 'function') continue;
  Object.defineProperty(Answer.prototype, name, {
    configurable: true,
    writable: true,
    value(this: Answer, ...args: unknown[]) {
      return Reflect.apply(method, textOf(this), args);
    },
  });
}
const ofText = <T>(use: (text: string) => T) =>
  function (this: Answer) {
    return use(textOf(this));
  };
Object.defineProperty(Answer.prototype, 'length', { get: ofText(({ length }) => length) });
for (const name of ['toString', 'valueOf', 'toJSON', Symbol.toPrimitive])
  Object.defineProperty(Answer.prototype, name, { value: ofText((text) => text) });

const begin = (name: string, args: readonly string[]): number => host.begin(name, JSON.stringify(args), rangesIn(args));

function later(name: string, args: readonly string[]): Answer {
  const pending: Pending = { call: begin(name, args), reply: null, resolve() {}, reject() {} };
  const answer = new Answer((resolve, reject) => Object.assign(pending, { resolve, reject }));
  waiting.set(pending.call, pending);
  pendings.set(answer, pending);
  // A failed reply that the code never uses must not fail the code.
  Promise.prototype.then.call(answer, undefined, () => {});
  return answer;
}

const promptFor = (text: unknown) => [toText(text, 'the prompt')];
function questionFor(asked: unknown, text: unknown): string[] {
  const [question, place] = [toText(asked, 'the question'), placeOf(text)];
  return place === null ? [question, toText(text, 'the text')] : [question, '', JSON.stringify([place.from, place.to])];
}

const asking = <A extends unknown[]>(name: string, argsFor: (...given: A) => string[]) =>
  Object.assign((...given: A) => host.wait(begin(name, argsFor(...given))), {
    later: (...given: A) => later(name, argsFor(...given)),
  });

export const llmQuery = asking('llm_query', promptFor);
export const rlmQuery = asking('rlm_query', questionFor);

/** Sends all prompts concurrently. For a failed prompt, the error's message replaces the reply. Throws if all fail. */
export function llmQueryBatched(prompts: Iterable<unknown>): string[] {
  const all = Array.from(prompts);
  if (all.length > mostPrompts)
    throw new RangeError(`${all.length} prompts are too many at once (at most ${mostPrompts})`);
  const failures = new Map<number, unknown>();
  const attempt = <T>(index: number, work: () => T): T | string => {
    try {
      return work();
    } catch (error) {
      failures.set(index, error);
      return `[no reply: ${(error as Error).message}]`;
    }
  };
  const begun = all.map((text, index) => attempt(index, () => begin('llm_query', promptFor(text))));
  const replies = begun.map((call, index) => (typeof call === 'string' ? call : attempt(index, () => host.wait(call))));
  if (all.length > 0 && failures.size === all.length) throw failures.get(all.length - 1);
  return replies;
}

const itemsOf = (value: unknown): unknown[] => {
  const place = placeOf(value);
  const text = place === null ? value : readPart(place, 0, lengthOf(place));
  return typeof text === 'string' ? text.split('\n').filter((line) => line.trim() !== '') : Array.from(text as []);
};

const itemText = (item: unknown, index: number): string =>
  toText(hitPlace(item) === null ? item : (item as Hit).text, `item ${index + 1}`);

/** Lets a model label each item. A text is split into its lines. */
export function classify(items: unknown, question: unknown, labels: unknown) {
  if (!Array.isArray(labels)) throw new TypeError('classify: give the labels as a list, such as ["yes", "no"]');
  const all = itemsOf(items);
  const names = labels.map(String);
  const args = [toText(question, 'the question'), JSON.stringify({ labels: names, items: all.map(itemText) })];
  const given = JSON.parse(host.wait(begin('classify', args))) as (string | null)[];
  const counts: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]));
  for (const label of given) counts[String(label)] = (counts[String(label)] ?? 0) + 1;
  return { counts, items: all.map((item, index) => ({ item, label: given[index] ?? null })) };
}

/** Settles the promise of a call. @param failed 1 if the text is an error message. */
export function settle(call: number, text: string, failed: number): void {
  const pending = waiting.get(call);
  if (pending === undefined) return;
  waiting.delete(call);
  pending.reply = { text, isFailure: failed === 1 };
  if (failed === 1) pending.reject(new Error(text));
  else pending.resolve(text);
}

export const isAnswer = (value: unknown): value is Answer => value instanceof Answer;
