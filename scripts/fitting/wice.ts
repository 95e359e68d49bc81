/** WiCE: claims of an encyclopedia with the page that each cites, and whether the page supports it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Passage } from '../../src/state.ts';

export interface WiceClaim {
  readonly claim: string;
  readonly label: 'supported' | 'partially_supported' | 'not_supported';
  readonly passages: readonly Passage[];
  /** The article that contains the claim. */
  readonly article: string;
}

interface Record {
  readonly label: WiceClaim['label'];
  readonly claim: string;
  readonly evidence: readonly string[];
  readonly meta: { readonly claim_title: string };
}

/** A text as one passage. */
export function passageOf(text: string, source = 'page.txt', id = 'P1'): Passage {
  const lines = text.split('\n').length;
  const endByte = Buffer.byteLength(text);
  return { id, source, startLine: 1, endLine: lines, startByte: 0, endByte, text, score: 1, hash: '' };
}

export function readWice(data: string): WiceClaim[] {
  const lines = readFileSync(join(data, 'wice/claim-dev.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const { claim, label, evidence, meta }: Record = JSON.parse(line);
    return { claim, label, article: meta.claim_title, passages: [passageOf(evidence.join('\n\n'))] };
  });
}
