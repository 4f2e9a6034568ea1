// Removes the native files of other platforms after the installation. Without it, they stay unused.
"use strict";

const { readdirSync, rmSync } = require("node:fs");
const { join } = require("node:path");

const natives = join(__dirname, "../app/node_modules/onnxruntime-node/bin/napi-v6");
for (const platform of readdirSync(natives)) {
  for (const arch of readdirSync(join(natives, platform))) {
    if (platform === process.platform && arch === process.arch) continue;
    rmSync(join(natives, platform, arch), { recursive: true, force: true });
  }
}
