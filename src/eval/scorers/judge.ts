import { askPlainly } from '../../api/ask-plainly.ts';
import { readReference } from '../../config/model-reference.ts';
import { providerNames } from '../../config/provider-traits.ts';
import { type Result, requestsOf } from '../../result.ts';
import { type Allowance, type Answering, type Arm, configurationOf, type Recordings } from '../arms/arm.ts';
import { type Sample, wantedOf } from '../samples/read-samples.ts';
import { wordsOf } from './text-scores.ts';

interface JudgeRequest extends Recordings {
  /** In the form that `--model` takes. */
  readonly model: string;
  readonly allowance: Allowance;
  readonly signal: AbortSignal;
}

const task =
  'The text holds a question, its right answer, and a reply. Does the reply give the right answer, whatever else it says? Reply YES or NO, and nothing else.';

const caseOf = (sample: Sample, answer: string): string =>
  `Question: ${sample.question}\n\nRight answer: ${wantedOf(sample)}\n\nReply:\n${answer}\n`;

/** Returns the judge's verdict; null if the judge failed, or answered neither yes nor no. */
function verdictOf({ answer }: Result): boolean | null {
  const word = wordsOf(answer ?? '').find((one) => one === 'yes' || one === 'no');
  return word === undefined ? null : word === 'yes';
}

/** Returns the arm that judges, with the provider that `model` names, if any. */
export function judgeArm(model: string): Arm {
  const { provider } = readReference(model, providerNames);
  return { name: 'judge', kind: 'plain', settings: { model, ...(provider !== null && { provider }) } };
}

/** Asks a model to judge an answer. Throws RlmError as `askPlainly` does. */
export async function judgeAnswer(
  sample: Sample,
  answer: string,
  answering: Answering,
  { model, allowance, ...others }: JudgeRequest,
) {
  const configuration = configurationOf(judgeArm(model), answering, allowance);
  const documents = [{ name: 'case', text: caseOf(sample, answer) }];
  const result = await askPlainly(task, { ...answering.shared, ...others, configuration, documents });
  const { tokens, cost } = result.usage;
  return { isRight: verdictOf(result), calls: requestsOf(result.usage), tokens: tokens.input + tokens.output, cost };
}

export type Judgement = Readonly<Awaited<ReturnType<typeof judgeAnswer>>>;
