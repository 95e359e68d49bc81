import * as z from 'zod/mini';
import { createPage } from '../page.ts';
import type { Tool } from '../tool.ts';
import { ToolError } from '../tool-error.ts';
import { evaluate } from './evaluate.ts';
import { functionNames } from './functions.ts';
import { showValue } from './shown-value.ts';

const longestExpression = 20_000;

const parameters = z.object({
  expression: z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(longestExpression),
      z.describe(
        `Numbers with + - * / % ^ ( ) and comparisons; 15% of 80; dates and durations: 2024-03-01 + 90 days, ` +
          `(2024-12-24 - 2024-03-01) in weeks; [lists]. Functions: ${functionNames.join(', ')}.`,
      ),
    ),
});

type Given = z.infer<typeof parameters>;

/** Arithmetic, dates and counts. */
export const calculate: Tool<Given> = {
  name: 'calculate',
  about: 'Computes exactly: arithmetic, percentages, sums and means, dates and durations.',
  parameters,
  example: { expression: 'round(100 * (1240 - 985) / 985, 1)' },
  needs: 'nothing',
  run: async ({ expression }, { bounds }) => {
    const result = showValue(evaluate(expression));
    const page = createPage(bounds);
    if (page.add(result)) return page.end();
    throw new ToolError(
      `the result has ${result.length} characters, too many to be shown: round it, or take parts of it`,
    );
  },
};
