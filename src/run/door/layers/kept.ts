import type { Fields } from '../../../prompts/reply/fields.ts';
import type { ParsedReply } from '../../../prompts/reply/read-reply.ts';
import { attachedTokens, promptOf, readAsked } from '../asked.ts';
import type { DoorParts, IdentifiedCall, Layer, Obtain, Obtained, ParsedObtained } from '../layer.ts';
import { messageTokens, pictureTokens } from '../window.ts';

function read(call: IdentifiedCall, { reply: kept }: Obtained): ParsedReply<Fields> {
  const parsed = readAsked(call, kept);
  const { probability = null } = kept;
  if (parsed.class === 'failed' || promptOf(call.input).probabilityOf === undefined) return parsed;
  return { ...parsed, reply: { ...parsed.reply, probability } as unknown as typeof parsed.reply };
}

/** Parses a reply, and stores it before it is used. */
export function kept({ archives }: Pick<DoorParts, 'archives'>): Layer<Obtain<ParsedObtained>, Obtain> {
  async function keep(
    { identity }: IdentifiedCall,
    { reply, from, number }: Obtained,
    isUsable: boolean,
  ): Promise<void> {
    const isReused = number === null;
    const stored = isReused ? { ...reply, tokens: { input: 0, output: 0 }, tries: 0 } : reply;
    const others = archives.filter(({ name, replays }) => name !== from && (replays || !isReused));
    await Promise.all(others.map((archive) => archive.keep(identity, stored, isUsable)));
  }

  return (next) => async (call) => {
    const obtained = await next(call);
    const { reply, number } = obtained;
    // Replayed calls are measured too, so that a resumed run has the same room for passages.
    if (number !== null && pictureTokens(call.messages) === 0)
      call.model.sizing.counted(messageTokens(call.messages) + attachedTokens(call), reply.tokens.input);
    const parsed = read(call, obtained);
    if (!obtained.isEnded) await keep(call, obtained, parsed.class !== 'failed' && parsed.isCut !== true);
    return { ...obtained, parsed };
  };
}
