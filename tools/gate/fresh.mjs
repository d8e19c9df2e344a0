// `node tools/gate/fresh.mjs [ROOT]`: fails if the protobuf code in the repository differs from the output of `pnpm generate`.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const root = process.argv[2] ?? path.join(import.meta.dirname, "..", "..");
const temporary = mkdtempSync(path.join(tmpdir(), "tfxio-generated-"));

/**
 * Reads the generated folders of all packages.
 * @param {string} base
 * @returns {Map<string, string>} text of each file, by path relative to `base`
 */
function generatedFiles(base) {
  const packages = path.join(base, "packages");
  const files = new Map();
  for (const name of readdirSync(packages)) {
    const folder = path.join(packages, name, "src", "generated");
    if (!existsSync(folder)) continue;
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      files.set(path.relative(base, file), readFileSync(file, "utf8"));
    }
  }
  return files;
}

try {
  const { status } = spawnSync("buf", ["generate", "--output", temporary], { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status || 1);
  const committed = generatedFiles(root);
  const fresh = generatedFiles(temporary);
  const stale = [...new Set([...committed.keys(), ...fresh.keys()])]
    .filter((file) => committed.get(file) !== fresh.get(file))
    .sort();
  for (const file of stale) console.error(`${file}: out of date with its .proto file; run: pnpm generate`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
