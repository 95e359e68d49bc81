import { describe, expect, test } from 'vitest';
import { RlmError } from '../../../src/errors.ts';
import { parseOllamaHost } from '../../../src/providers/ollama/host.ts';

describe('parseOllamaHost', () => {
  // The first sixteen are from TestHost in Ollama's envconfig/config_test.go, changed to addresses to connect to.
  test.each([
    ['', 'http://127.0.0.1:11434'],
    ['1.2.3.4', 'http://1.2.3.4:11434'],
    [':1234', 'http://127.0.0.1:1234'],
    ['1.2.3.4:1234', 'http://1.2.3.4:1234'],
    ['example.com', 'http://example.com:11434'],
    ['example.com:1234', 'http://example.com:1234'],
    ['[::1]', 'http://[::1]:11434'],
    ['[::]', 'http://[::1]:11434'],
    ['::1', 'http://[::1]:11434'],
    ['[::1]:1337', 'http://[::1]:1337'],
    [' 1.2.3.4 ', 'http://1.2.3.4:11434'],
    ['"1.2.3.4"', 'http://1.2.3.4:11434'],
    ['http://1.2.3.4', 'http://1.2.3.4:80'],
    ['https://1.2.3.4', 'https://1.2.3.4:443'],
    ['https://example.com/ollama', 'https://example.com:443/ollama'],
    ['ollama.com', 'https://ollama.com:443'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:8080', 'http://127.0.0.1:8080'],
    ['http://0.0.0.0:8080', 'http://127.0.0.1:8080'],
    ['::', 'http://[::1]:11434'],
    ['HTTP://Host:1', 'http://Host:1'],
    ['host/a/b/', 'http://host:11434/a/b'],
    ['http://127.0.0.1:11434/', 'http://127.0.0.1:11434'],
  ])('%s is %s', (value, url) => {
    expect(parseOllamaHost(value)).toEqual({ url, display: url });
    expect(parseOllamaHost(url).url).toBe(url);
  });

  test('a user and a password are used for the connection, and not in messages', () => {
    expect(parseOllamaHost('https://me:s3cret@example.com/x')).toEqual({
      url: 'https://me:s3cret@example.com:443/x',
      display: 'https://example.com:443/x',
    });
  });

  test.each([
    'ftp://host',
    'host:99999',
    'host:0',
    'host:abc',
    'a b',
    'http://me:s3cret@ho st',
    'http://me:s3cret@host:x',
    'host?query',
    '[::1',
  ])('%s is refused by name', (value) => {
    let error: unknown;
    try {
      parseOllamaHost(value);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(RlmError);
    const { code, message, hint } = error as RlmError;
    expect(code).toBe('config-invalid');
    expect(message).toContain('OLLAMA_HOST');
    expect(message + hint).not.toContain('s3cret');
  });
});
