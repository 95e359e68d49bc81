import { type ProseFinal, readFinal } from './read-final.ts';

/** A parsed reply. */
export interface Turn {
  /** The words besides code and answer. */
  readonly thought: string;
  /** The code to run; empty: none. */
  readonly code: string;
  /** An answer outside the code, or in place of it. */
  readonly final: ProseFinal | null;
  /** The answer in a code block, for when the block is not code. */
  readonly fencedFinal: ProseFinal | null;
}

/** Matches a fenced block; an unclosed one ends with the reply. */
const fenced = /^[ \t]*(`{3,}|~{3,})[ \t]*([\w+#-]*)[^\n]*\n([\s\S]*?)(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))/gm;

/** Languages of blocks that are run; others are only for reading. */
const runnable = /^(?:|js|javascript|mjs|node|ts|typescript|repl|code)$/i;

const looksLikeCode =
  /^\s*(?:(?:const|let|var|function|async|await|for|if|while|try|class)\b|(?:print|console\.log|context|contexts|llm_query|llm_query_batched|rlm_query|classify)\b[\s.[(]|\/\/)/;

/** Parses a reply into its code, its answer outside the code, and its other words. */
export function readTurn(reply: string): Turn {
  const blocks = [...reply.matchAll(fenced)].filter(([, , language]) => runnable.test(language!));
  const code = blocks.map(([, , , body]) => body!.trimEnd()).join('\n');
  const prose = blocks.reduce((rest, [block]) => rest.replace(block, () => '\n'), reply).trim();
  if (blocks.length === 0 && looksLikeCode.test(reply))
    return { thought: '', code: reply.trim(), final: null, fencedFinal: null };
  const isOnlyFinal = /^\s*FINAL(?:_VAR)?\s*\(/.test(code);
  return { thought: prose, code, final: readFinal(prose), fencedFinal: isOnlyFinal ? readFinal(code) : null };
}
