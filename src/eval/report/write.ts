/** Renders the report in the form that a file's name implies. */
import { RlmError } from '../../errors.ts';
import type { Sample } from '../samples/sample.ts';
import type { EvaluationReport } from './evaluation-report.ts';
import { renderHtml } from './html.ts';
import { renderJUnit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import { renderReportText } from './text.ts';

const questionsOf = (samples: readonly Sample[]) => new Map(samples.map(({ id, question }) => [id, question]));

const forms: Readonly<Record<string, (report: EvaluationReport, samples: readonly Sample[]) => string>> = {
  txt: renderReportText,
  json: (report) => `${JSON.stringify(report)}\n`,
  md: renderMarkdown,
  xml: (report, samples) => renderJUnit(report, questionsOf(samples)),
  html: renderHtml,
};

/** Returns the form of a file by its extension. Throws RlmError `usage`. */
export function formOf(path: string): string {
  const form = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  if (Object.hasOwn(forms, form)) return form;
  throw new RlmError('usage', `--report cannot be "${path}"`, {
    hint: 'Name files that end in .html, .md (for a pull request), .xml (JUnit), .json or .txt.',
  });
}

/** Renders the report in a form. */
export const renderEvaluation = (form: string, report: EvaluationReport, samples: readonly Sample[]): string =>
  forms[form]!(report, samples);
