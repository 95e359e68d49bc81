// The entry of the single-file executable: puts the program's files into a folder of the user once, and runs it there.
'use strict';
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const { createRequire } = require('node:module');
const { homedir } = require('node:os');
const { dirname, join, resolve, sep } = require('node:path');
const { getRawAsset } = require('node:sea');
const { gunzipSync } = require('node:zlib');

const packed = Buffer.from(getRawAsset('files'));
const name = createHash('sha256').update(packed).digest('hex').slice(0, 24);
const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
const folder = join(cache, 'rlm', 'program', name);

/** Another process may do the same at once: the first to give the folder its name wins, and both are the same. */
function unpack() {
  const draft = `${folder}.${process.pid}`;
  for (const [path, text] of Object.entries(JSON.parse(gunzipSync(packed).toString()))) {
    const file = resolve(draft, path);
    if (!file.startsWith(draft + sep)) throw new Error(`the executable is damaged: ${path}`);
    fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(file, Buffer.from(text, 'base64'), { mode: 0o600 });
  }
  try {
    fs.renameSync(draft, folder);
  } catch (error) {
    fs.rmSync(draft, { recursive: true, force: true });
    if (!fs.existsSync(folder)) throw error;
  }
}

if (!fs.existsSync(folder)) unpack();
createRequire(join(folder, 'package.json'))('./dist/cli/main.cjs').main(process.argv.slice(2));
