import type { CommandSpec } from '../command.ts';
import { askCommand, chatCommand, mcpCommand, resumeCommand } from './asking.ts';
import { describeCommand, indexCommand, queryCommand, searchCommand } from './reading.ts';
import { cacheCommand, checksCommand, evalCommand, reportCommand, runsCommand } from './records.ts';
import { completionCommand, configCommand, doctorCommand, helpCommand, modelsCommand, rolesCommand } from './setup.ts';

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
