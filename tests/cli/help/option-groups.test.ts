import { expect, it } from 'vitest';
import { commands } from '../../../src/cli/commands/index.ts';
import { groupOptions, settingPlace } from '../../../src/cli/help.ts';
import { settingsByKey } from '../../../src/config/settings.ts';

it('every setting with a flag and every option of ask is in a group', () => {
  const flagged = [...settingsByKey].filter(([, { flag }]) => flag !== null);
  expect(flagged.filter(([key]) => settingPlace(key).group === undefined)).toEqual([]);
  expect(commands[0]!.options.filter(({ group }) => group === undefined)).toEqual([]);
});

it('options keep their order within a group, and none is lost', () => {
  for (const { options } of commands) {
    const grouped = groupOptions(options);
    expect(new Set(grouped.flatMap(([, members]) => members))).toEqual(new Set(options));
    for (const [, members] of grouped) expect(members).toEqual(options.filter((option) => members.includes(option)));
  }
});
