import type { CommandSpec } from '../command.ts';
import { askCommand } from './ask.ts';
import { cacheCommand } from './cache.ts';
import { chatCommand } from './chat.ts';
import { checksCommand } from './checks.ts';
import { completionCommand } from './completion.ts';
import { configCommand } from './config.ts';
import { describeCommand } from './describe.ts';
import { doctorCommand } from './doctor.ts';
import { evalCommand } from './eval.ts';
import { helpCommand } from './help.ts';
import { indexCommand } from './indexes.ts';
import { mcpCommand } from './mcp.ts';
import { modelsCommand } from './models.ts';
import { queryCommand } from './query.ts';
import { reportCommand } from './report.ts';
import { resumeCommand } from './resume.ts';
import { rolesCommand } from './roles.ts';
import { runsCommand } from './runs.ts';
import { searchCommand } from './search.ts';

/** Every command, in the order in which help lists them. */
export const commands: readonly CommandSpec[] = [
  askCommand,
  chatCommand,
  checksCommand,
  searchCommand,
  queryCommand,
  describeCommand,
  indexCommand,
  resumeCommand,
  runsCommand,
  evalCommand,
  reportCommand,
  modelsCommand,
  mcpCommand,
  rolesCommand,
  doctorCommand,
  cacheCommand,
  configCommand,
  completionCommand,
  helpCommand,
];
