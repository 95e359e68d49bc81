import { isIP } from 'node:net';

/** IPv4: loopback, private (RFC 1918), link-local, and the shared range of private networks such as Tailscale. */
const privateIPv4 =
  /^(127|10)\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^169\.254\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./;

/** IPv6: loopback, unique local, link-local, and mapped addresses of `privateIPv4` (RFC 4291, 2.5.5.2). */
const privateIPv6 =
  /^::1$|^f[cd][0-9a-f]{2}:|^fe[89ab][0-9a-f]:|^::ffff:(?:7f..|a..|c0a8|ac1.|a9fe|64[4-7].):[0-9a-f]{1,4}$/;

/** Names of this machine, of hosts in a home or office network, and of other containers. */
const privateName = /^[^.]+$|\.(localhost|local|lan|home|internal|intranet|home\.arpa)$/;

/** Whether a URL leads to this machine or a private network. Judges names by their form, without DNS. */
export function isLocalAddress(url: string): boolean {
  const host = new URL(url).hostname.toLowerCase().replace(/^\[|\]$|\.$/g, '');
  if (['0.0.0.0', '::', '::ffff:0:0'].includes(host)) return true;
  const version = isIP(host);
  if (version === 0) return privateName.test(host);
  return (version === 4 ? privateIPv4 : privateIPv6).test(host);
}
