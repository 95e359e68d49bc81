import { isIPv6 } from 'node:net';
import { withoutLogin } from '../../config/login.ts';
import { RlmError } from '../../errors.ts';

function invalid(value: string, why: string): RlmError {
  return new RlmError('config-invalid', `OLLAMA_HOST is not an address: "${withoutLogin(value)}" ${why}`, {
    hint: 'Set OLLAMA_HOST (or ollama.host, or --host) to something like 127.0.0.1:11434 or https://example.com/ollama',
  });
}

/** Looks for two colons first, because Node's own test takes 12 ms to compile its regular expression. */
const isIPv6Address = (host: string) => host.indexOf(':') !== host.lastIndexOf(':') && isIPv6(host);

/** Splits `host`, `host:port`, `:port`, `[::1]:port` or a bare IPv6 address into host and port. */
function splitPort(authority: string): { host: string; port: string | null } {
  if (isIPv6Address(authority)) return { host: authority, port: null };
  const [, bracketed, plain, port] = /^(?:\[(.*)\]|([^[\]:]*))(?::(.*))?$/.exec(authority) ?? [];
  return { host: bracketed ?? plain ?? authority, port: port ?? null };
}

/** Returns a host that clients can connect to. Replaces an unspecified address, such as `0.0.0.0`, with loopback. */
function connectable(host: string): string {
  if (host === '' || host === '0.0.0.0') return '127.0.0.1';
  if (!isIPv6Address(host)) return host;
  return /^[0:]+$/.test(host) ? '[::1]' : `[${host}]`;
}

function checkPort(port: string, value: string): void {
  if (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535) return;
  throw invalid(value, `has the port "${port}", which is not a number from 1 to 65535`);
}

/**
 * Reads an address as Ollama's own server and command line read OLLAMA_HOST (`Host` and `ConnectableHost` in its
 * envconfig/config.go). The default port is 11434, but 80 after `http://` and 443 after `https://`. An empty address
 * means this machine. Unlike in Ollama, a wrong port is an error. Throws `config-invalid`.
 * @returns `url`: the base URL without a slash at its end; `display`: the same URL without user and password.
 */
export function parseOllamaHost(value: string): { readonly url: string; readonly display: string } {
  const text = value.replace(/^[\s"']+|[\s"']+$/g, '');
  if (text === 'ollama.com') return parseOllamaHost('https://ollama.com:443');
  const [, scheme = 'http', rest = text] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(text) ?? [];
  const protocol = scheme.toLowerCase();
  if (protocol !== 'http' && protocol !== 'https') throw invalid(value, 'is neither http nor https');
  const slash = rest.indexOf('/');
  const authority = slash === -1 ? rest : rest.slice(0, slash);
  const path = slash === -1 ? '' : rest.slice(slash).replace(/\/+$/, '');
  const at = authority.lastIndexOf('@');
  const { host, port } = splitPort(authority.slice(at + 1));
  const defaultPort = rest === text ? '11434' : protocol === 'https' ? '443' : '80';
  checkPort(port ?? defaultPort, value);
  const address = `${connectable(host)}:${port ?? defaultPort}${path}`;
  const url = `${protocol}://${authority.slice(0, at + 1)}${address}`;
  if (!URL.canParse(url) || /[?#\s]/.test(url)) throw invalid(value, 'is not a host, host:port or URL');
  return { url, display: `${protocol}://${address}` };
}
