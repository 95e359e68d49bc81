import { modelsFolder, stateFolder } from '../../config/folders.ts';
import type { Configuration } from '../../config/layers.ts';
import { RlmError } from '../../errors.ts';
import { readFileAddress } from '../../providers/llama-cpp/file-request.ts';
import { type PulledFile, type PullFileOptions, pullFile } from '../../providers/llama-cpp/pull-file.ts';

export { isFileAddress } from '../../providers/llama-cpp/file-request.ts';

/**
 * Downloads the file `hf:OWNER/REPO/FILE.gguf`, or the file at an address, to the folder of model files. The next call
 * continues an interrupted download.
 * @throws RlmError `usage` for an invalid address or checksum, and as `pullFile` does.
 */
export function pullModelFile(
  { from, sha256, ...options }: Omit<PullFileOptions, 'address' | 'folder'> & { readonly from: string },
  { settings, env }: Configuration,
): Promise<PulledFile> {
  const sum = sha256?.toLowerCase() ?? null;
  if (sum !== null && !/^[0-9a-f]{64}$/.test(sum)) {
    throw new RlmError('usage', `"${sha256}" is no SHA-256 sum`, { hint: 'Such a sum has 64 hexadecimal digits.' });
  }
  const address = readFileAddress(from, env);
  return pullFile({ ...options, address, sha256: sum, folder: modelsFolder(stateFolder(settings, env)) });
}
