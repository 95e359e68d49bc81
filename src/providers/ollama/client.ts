let loading: Promise<typeof import('ollama/browser')> | null = null;

/** The client package, which is loaded once: even an import of what is loaded already takes a turn of the loader. */
export function loadOllamaClient(): Promise<typeof import('ollama/browser')> {
  loading ??= import('ollama/browser');
  return loading;
}
