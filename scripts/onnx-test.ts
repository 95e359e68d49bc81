/**
 * Installs onnxruntime-node and @huggingface/tokenizers, and runs the tests of tests/onnx with them.
 *
 * npm run test:onnx
 */
import { installCommand } from '../src/providers/onnx/packages.ts';
import { testWithPeer } from './peer-test.ts';

testWithPeer({ name: 'onnx', folder: '.onnx', installCommand: installCommand(), variable: 'ONNX_TEST_FOLDER' });
