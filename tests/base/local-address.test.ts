import { expect, test } from 'vitest';
import { isLocalAddress } from '../../src/base/local-address.ts';

test.each([
  'http://127.0.0.1:1234/v1',
  'http://localhost:8000',
  'http://[::1]:8080',
  'http://0.0.0.0:8000',
  'http://10.1.2.3',
  'http://172.16.0.1',
  'http://172.31.255.1',
  'http://192.168.178.20:1234',
  'http://169.254.1.1',
  'http://100.101.102.103',
  'http://[fd00::1]',
  'http://[fe80::1]',
  'http://[::ffff:127.0.0.1]',
  'http://[::ffff:10.1.2.3]',
  'http://[::ffff:192.168.1.1]',
  'http://[::ffff:100.101.1.1]',
  'http://[::ffff:0.0.0.0]',
  'http://vllm:8000',
  'http://gpu-box.local',
  'http://nas.lan.',
  'https://llm.corp.internal/v1',
])('%s is local', (url) => {
  expect(isLocalAddress(url)).toBe(true);
});

test.each([
  'https://api.openai.com/v1',
  'https://openrouter.ai/api/v1',
  'http://8.8.8.8',
  'http://172.32.0.1',
  'http://100.128.0.1',
  'http://[2001:4860:4860::8888]',
  'http://[::ffff:8.8.8.8]',
  'http://[::ffff:172.32.0.1]',
  'http://[::ffff:100.128.0.1]',
  'https://localhost.example.com',
  'https://10.0.0.1.example.com',
])('%s is not local', (url) => {
  expect(isLocalAddress(url)).toBe(false);
});
