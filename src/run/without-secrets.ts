/** Redacts secrets in what a run receives and stores, but not in what it sends to a model. */
import type { Provider } from '../providers/provider.ts';
import type { Redactor } from '../secrets/redactor.ts';
import type { Archive } from './door/archive.ts';

/** Returns the provider with secrets redacted from its replies and errors, before anything reads them. */
export function providerWithoutSecrets(provider: Provider, redactor: Redactor): Provider {
  if (redactor.isIdle) return provider;
  const cleanly = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw redactor.thrown(error);
    });
  return {
    name: provider.name,
    inspect: (signal) => cleanly(provider.inspect(signal)),
    async call(request, options) {
      const reply = await cleanly(provider.call(request, options));
      return { ...reply, text: redactor.text(reply.text), toolCalls: redactor.value(reply.toolCalls) };
    },
  };
}

/** Returns the archive with secrets redacted from the replies that it stores and finds. */
export function archiveWithoutSecrets(archive: Archive, redactor: Redactor): Archive {
  if (redactor.isIdle) return archive;
  return {
    name: archive.name,
    replays: archive.replays,
    find: async (call) => redactor.value(await archive.find(call)),
    ...(archive.spend && {
      spend: (call, spending, isOver) => archive.spend?.(redactor.value(call), spending, isOver),
    }),
    keep: (call, reply, isUsable) => archive.keep(redactor.value(call), redactor.value(reply), isUsable),
  };
}
