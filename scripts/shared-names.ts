/** Finds exported names that several files declare. A name should mean one thing, so each needs a reason. */

const declaration = /^export (?:async )?(?:function\*?|const|class|interface|type|enum|abstract class) (\w+)/gm;

/** A reason for which files may share a name. */
interface Reason {
  readonly why: string;
  /** Whether the reason applies to the files. */
  readonly holds: (files: readonly string[]) => boolean;
}

const inRooms =
  (...rooms: readonly string[]) =>
  (files: readonly string[]): boolean =>
    files.every((file) => rooms.some((room) => file.startsWith(room)));

/** Returns whether at most one file is not in the rooms. */
const butOne =
  (...rooms: readonly string[]) =>
  (files: readonly string[]): boolean =>
    files.filter((file) => !inRooms(...rooms)([file])).length <= 1;

const reasons: readonly Reason[] = [
  {
    why: 'a descriptor has the name of its thing: the prompt, the tool, the settings, the layer and the strategy of one kind',
    holds: inRooms(
      ...['prompts/', 'tools/', 'config/settings/', 'run/door/layers/', 'strategies/', 'mcp/tools/'],
      ...['sandbox/guest/calls', 'sandbox/guest/query', 'query/query', 'api/open-context'],
    ),
  },
  {
    why: 'providers take the same steps behind one contract; none imports another',
    holds: (files) =>
      inRooms('providers/')(files) && new Set(files.map((file) => file.split('/')[1])).size === files.length,
  },
  { why: 'a function of the library has the name of the one that it makes public', holds: butOne('api/') },
  {
    why: 'the guest is a program of its own in the sandbox, which imports nothing of the host',
    holds: butOne('sandbox/guest/'),
  },
];

/** Returns the names that files share without a reason, each with its files. `texts` maps paths to texts. */
export function sharedNames(texts: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const holders = new Map<string, string[]>();
  for (const [file, text] of texts) {
    if (!file.endsWith('.ts')) continue;
    for (const name of new Set(Array.from(text.matchAll(declaration), ([, one]) => one!)))
      holders.set(name, [...(holders.get(name) ?? []), file]);
  }
  return new Map([...holders].filter(([, files]) => files.length > 1 && !reasons.some(({ holds }) => holds(files))));
}
