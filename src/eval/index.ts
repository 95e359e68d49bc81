/** The functions that the command line uses; loaded when `rlm eval` runs. */
export { parseArms } from './arms/arm.ts';
export { makeTasks, taskKinds } from './make/make.ts';
export type { EvaluationReport } from './report/render.ts';
export { formOf, renderEvaluation, renderReportText } from './report/render.ts';
export type { EvaluationProgress } from './run/evaluate.ts';
export { type EvalOptions, runEval } from './run-eval.ts';
export { exampleSamples } from './samples/example.ts';
export { readSamples } from './samples/read-samples.ts';
export { fitConfidence, fitInWords } from './summary/fit-confidence.ts';
