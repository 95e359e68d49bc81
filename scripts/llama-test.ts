/**
 * Installs node-llama-cpp, without its parts for graphics cards, and runs the tests of tests/llama with it.
 *
 * npm run test:llama
 */
import { installCommand } from '../src/providers/llama-cpp/package.ts';
import { testWithPeer } from './peer-test.ts';

testWithPeer({
  name: 'llama',
  folder: '.llama-cpp',
  installCommand: installCommand(),
  variable: 'LLAMA_TEST_FOLDER',
});
