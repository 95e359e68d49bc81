import { type ProseFinal, readFinal } from './read-final.ts';

/** What a reply wants to have done. */
export interface Turn {
  /** What it says besides. */
  readonly thought: string;
  /** Empty: none. */
  readonly code: string;
  /** An answer that stands outside of the code, or where code should stand. */
  readonly final: ProseFinal | null;
  /** The answer that the code consists of, for when it is no code. */
  readonly fencedFinal: ProseFinal | null;
}

/** A fenced block; one that is not closed ends with the reply. */
const fenced = /^[ \t]*(`{3,}|~{3,})[ \t]*([\w+#-]*)[^\n]*\n([\s\S]*?)(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))/gm;

/** Blocks in other languages are there to be read, and not to be run. */
const runnable = /^(?:|js|javascript|mjs|node|ts|typescript|repl|code)$/i;

const looksLikeCode =
  /^\s*(?:(?:const|let|var|function|async|await|for|if|while|try|class)\b|(?:print|console\.log|context|contexts|llm_query|llm_query_batched|rlm_query)\b[\s.[(]|\/\/)/;

/** A reply's code, the answer that it gives outside of it, and its other words. */
export function readTurn(reply: string): Turn {
  const blocks = [...reply.matchAll(fenced)].filter(([, , language]) => runnable.test(language!));
  const code = blocks.map(([, , , body]) => body!.trimEnd()).join('\n');
  const prose = blocks.reduce((rest, [block]) => rest.replace(block, () => '\n'), reply).trim();
  if (blocks.length === 0 && looksLikeCode.test(reply))
    return { thought: '', code: reply.trim(), final: null, fencedFinal: null };
  const isOnlyFinal = /^\s*FINAL(?:_VAR)?\s*\(/.test(code);
  return { thought: prose, code, final: readFinal(prose), fencedFinal: isOnlyFinal ? readFinal(code) : null };
}
