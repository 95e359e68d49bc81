/** The targets of a program that is outside the sandbox, or behaves as if it were. */
export interface Canaries {
  /** A file with a secret in it. */
  readonly file: string;
  /** The name of an environment variable with a secret in it. */
  readonly variable: string;
  /** A port of this machine that counts connections. */
  readonly port: number;
}

/** Returns code for functions that compile text. The code returns the secrets that it reaches. */
export const payloadsFor = ({
  file,
  variable,
  port,
}: Canaries): Readonly<Record<'file' | 'variable' | 'socket', string>> => ({
  file: `
    const load = typeof require === "function" ? require : typeof process === "object" ? process.getBuiltinModule : null;
    return load ? load("fs").readFileSync(${JSON.stringify(file)}, "utf8") : fetch("file://${file}").then((r) => r.text());`,
  variable: `
    const env = typeof process === "object" ? process.env : typeof Deno === "object" ? Deno.env.toObject() : std.getenviron();
    globalThis.escaped = true;
    return env[${JSON.stringify(variable)}] || JSON.stringify(env);`,
  socket: `
    const load = typeof require === "function" ? require : typeof process === "object" ? process.getBuiltinModule : null;
    if (load) return load("net").connect(${port}, "127.0.0.1");
    if (typeof WebSocket === "function") return new WebSocket("ws://127.0.0.1:${port}");
    if (typeof XMLHttpRequest === "function") { const x = new XMLHttpRequest(); x.open("GET", "http://127.0.0.1:${port}"); return x.send(); }
    return fetch("http://127.0.0.1:${port}");`,
});
