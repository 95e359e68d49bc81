/** Tests replies that would control a terminal: the output shows none of it, and the JSON keeps the original text. */
import { printable, toJson } from '../../src/cli/terminal.ts';
import { createOllamaProvider } from '../../src/providers/ollama/provider.ts';
import { answerRequest } from '../../tests/contracts/sample-requests.ts';
import { startOllamaServer } from '../../tests/servers/ollama-server.ts';
import { createRandom } from '../random.ts';
import type { Check, Findings } from './check.ts';

type Random = () => number;
const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
const some = (random: Random, characters: string, most: number): string =>
  Array.from({ length: Math.floor(random() * (most + 1)) }, () => pick(random, [...characters])).join('');

const digits = '0123456789;?';
const letters = 'ABCDHJKSTfhlmnpqrsuz@`~';

/** Kinds of control sequences of ECMA-48 and of present terminals. */
const kinds: readonly ((random: Random) => string)[] = [
  (random) => `\u001b[${some(random, digits, 8)}${pick(random, [...letters])}`,
  (random) => `\u009b${some(random, digits, 8)}${pick(random, [...letters])}`,
  (random) =>
    `\u001b]${pick(random, ['0', '2', '8', '52', '1337'])};${some(random, 'abc/:=', 10)}${pick(random, ['\u0007', '\u001b\\', '\u009c'])}`,
  (random) =>
    `\u001b${pick(random, ['P', '_', '^', 'X'])}${some(random, 'abc123', 10)}${pick(random, ['\u001b\\', ''])}`,
  (random) => `\u001b${pick(random, ['c', '7', '8', 'D', 'E', 'H', 'M', '=', '>', '(B', '#8'])}`,
  (random) =>
    pick(random, ['\u0007', '\u0008', '\r', '\u000b', '\u000c', '\u000e', '\u000f', '\u007f', '\u0085', '\u0090']),
  (random) => `\u001b[${some(random, digits, 3)}`,
  () => '\u001b',
];

const perReply = 50;
/** Matches the control characters that text may contain. */
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** @param count total number of sequences. A reply has several, and is sent byte by byte. */
export const terminalEscapes = (count: number): Check => ({
  name: 'terminal escapes in replies',
  async run(seed): Promise<Findings> {
    const random = createRandom(seed);
    const replies = Array.from({ length: Math.ceil(count / perReply) }, () =>
      Array.from({ length: perReply }, (_, n) => `word ${n} ${pick(random, kinds)(random)} next`).join('\n'),
    );
    const server = await startOllamaServer({
      reply: (_, index) => replies[index]!,
      bytesPerWrite: 1,
      pieceLength: 400,
    });
    const provider = createOllamaProvider({ host: server.url, model: 'qwen2.5-coder:14b' });
    const violations: string[] = [];
    let bytes = 0;
    for (const [index, reply] of replies.entries()) {
      const { text } = await provider.call(answerRequest({ schema: null }), { signal: new AbortController().signal });
      bytes += Buffer.byteLength(text);
      const json = toJson({ answer: text });
      if (text !== reply) violations.push(`reply ${index} came as another text`);
      if (steering.test(printable(text)))
        violations.push(`reply ${index} reaches the terminal: ${JSON.stringify(printable(text))}`);
      if (steering.test(json.trimEnd())) violations.push(`reply ${index} reaches the terminal in its JSON`);
      if (JSON.parse(json).answer !== reply) violations.push(`reply ${index} is another one in its JSON`);
    }
    await server.close();
    return {
      figures: {
        sequences: replies.length * perReply,
        replies: replies.length,
        'bytes, each written alone': bytes,
        'reached a terminal': violations.length,
      },
      violations,
    };
  },
});
