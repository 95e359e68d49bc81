import type { ExitCode } from '../../errors.ts';
import { listRoles, ownRolesFolder, type Role } from '../../index.ts';
import type { Invocation } from '../command.ts';
import { oneLine, printable, toJson } from '../terminal.ts';

const line = (name: string, value: string): string => `  ${name.padEnd(10)}${oneLine(value, 500)}`;

function renderRole({ name, about, strategy, sections, tools, path }: Role): string {
  return [
    `${printable(name)}: ${oneLine(about, 300)}`,
    ...(strategy === null ? [] : [line('strategy', strategy)]),
    ...(sections.length === 0 ? [] : [line('sections', sections.join(', '))]),
    ...(tools === null ? [] : [line('tools', tools.join(', '))]),
    line('file', path),
  ].join('\n');
}

/** Runs `rlm roles`. */
export async function runRoles({ options, stdout }: Invocation): Promise<ExitCode> {
  const roles = await listRoles({ env: process.env });
  const text = `${roles.map(renderRole).join('\n\n')}\n\nFolder for your own roles: ${printable(ownRolesFolder(process.env))}\n`;
  stdout.write(options['json'] === true ? toJson({ roles }) : text);
  return 0;
}
