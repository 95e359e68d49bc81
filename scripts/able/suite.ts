/** All texts and questions that a seed gives. */
import { makeCode } from './code.ts';
import { makeHandbook } from './handbook.ts';
import { makeOffice } from './office.ts';
import { makePost } from './post.ts';
import { type Draft, type Half, placeOf, type Texts } from './question.ts';
import { makeRecords } from './records.ts';
import { createWorld } from './world.ts';

/** A question with its half. */
export interface Question extends Draft {
  readonly half: Half;
}

export interface Suite {
  readonly texts: Texts;
  /** Forty: five of each kind, in the order of the kinds. */
  readonly questions: readonly Question[];
}

/** Makes the suite; the same seed gives the same suite. Of five questions of a kind, one half gets three, in turn. */
export function makeSuite(seed: number): Suite {
  const halves = (['dev', 'test'] as const).map((half, number) => {
    const world = createWorld(half, seed);
    const made = [makePost, makeOffice, makeRecords, makeHandbook, makeCode].map((make) => make(world));
    const drafts = made.flatMap((one) => one.drafts);
    const own = drafts.filter((draft) => (placeOf(draft)[0] + placeOf(draft)[1]) % 2 === number);
    return { texts: made.flatMap((one) => [...one.texts]), questions: own.map((draft) => ({ ...draft, half })) };
  });
  const order = (draft: Draft) => placeOf(draft)[0] * 5 + placeOf(draft)[1];
  return {
    texts: new Map(halves.flatMap(({ texts }) => texts)),
    questions: halves.flatMap(({ questions }) => questions).sort((a, b) => order(a) - order(b)),
  };
}

/** Returns the line for a question in a file of `rlm eval`. */
export function lineOf({ id, half, question, paths, gold }: Question): string {
  return JSON.stringify({ id, question, paths, ...gold, tags: [id.slice(0, id.lastIndexOf('-')), half] });
}
