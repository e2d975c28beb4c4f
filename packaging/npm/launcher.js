#!/usr/bin/env node
// Starts the program that this package carries, with the libraries beside it. `demo` serves the sample shop.
'use strict';
const { spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const HERE = __dirname;
const GLIBC_MIN = [2, 36]; // that of Debian 12, where the program is built
const BINARY = path.join(HERE, 'bin', 'schemaward');

function glibc() {
  const { glibcVersionRuntime } = process.report.getReport().header;
  return glibcVersionRuntime ? glibcVersionRuntime.split('.').map(Number) : null;
}

function runsHere() {
  if (process.platform !== 'linux' || process.arch !== 'x64' || process.env.SCHEMAWARD_NPM_PRETEND === 'elsewhere') return false;
  const version = glibc();
  return version !== null && (version[0] > GLIBC_MIN[0] || (version[0] === GLIBC_MIN[0] && version[1] >= GLIBC_MIN[1]));
}

function environment() {
  const libraries = path.join(HERE, 'lib', 'bundled');
  const before = process.env.LD_LIBRARY_PATH;
  // What `init` writes into clients' files is this launcher, since the program alone would not find its libraries.
  return { ...process.env, SCHEMAWARD_LAUNCHER: path.join(HERE, 'launcher.js'), LD_LIBRARY_PATH: before ? `${libraries}:${before}` : libraries };
}

// Standard output belongs to the protocol: what the preparation lists is not shown, what fails is.
function prepare(...args) {
  const done = spawnSync(BINARY, args, { env: environment(), stdio: ['ignore', 'ignore', 2] });
  if (done.status !== 0) process.exit(2);
}

function demoArguments(rest) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'schemaward-demo-'));
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  const store = path.join(folder, 'store.db');
  const shop = path.join(folder, 'shop.db');
  fs.copyFileSync(path.join(HERE, 'demo', 'shop.db'), shop);
  prepare('index', shop, '--no-suggest', '--store', store);
  prepare('apply', path.join(HERE, 'demo', 'definitions'), '--store', store);
  return ['serve', ...rest, '--store', store];
}

function main() {
  if (!runsHere()) {
    process.stderr.write('schemaward: this package runs on Linux x64 with glibc 2.36 or later. Elsewhere:\n' +
      '  docker run -i --rm -v schemaward:/var/lib/schemaward schemaward serve\n');
    process.exit(2);
  }
  let args = process.argv.slice(2);
  if (args[0] === 'demo') args = demoArguments(args.slice(1));
  const child = spawn(BINARY, args, { env: environment(), stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => { process.stderr.write(`schemaward: ${error.message}\n`); process.exit(2); });
  child.on('exit', (code, signal) => process.exit(signal ? 128 + os.constants.signals[signal] : code));
}

main();
