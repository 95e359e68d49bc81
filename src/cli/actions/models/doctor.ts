import type { ExitCode } from '../../../errors.ts';
import { type DoctorReport, examineSetup } from '../../../index.ts';
import type { Invocation } from '../../command.ts';
import { renderDoctor } from '../../render/doctor.ts';
import { toJson } from '../../terminal.ts';

/** Returns 0 when a question can be answered, 3 for an invalid configuration, else 4. */
function statusOf({ checks, answersWith, error }: DoctorReport): ExitCode {
  const isProblem = (names: readonly string[]) =>
    checks.some(({ name, state }) => state === 'problem' && names.includes(name));
  if (isProblem(['prompts', 'configuration']) || error?.code === 'config-invalid') return 3;
  return answersWith === null || isProblem(['search', 'models']) ? 4 : 0;
}

/** Runs `rlm doctor`. */
export async function runDoctor({ options, stdout }: Invocation): Promise<ExitCode> {
  const report = await examineSetup();
  stdout.write(options['json'] === true ? toJson(report, 2) : renderDoctor(report, stdout));
  return statusOf(report);
}
