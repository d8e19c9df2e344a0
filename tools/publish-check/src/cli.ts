// node dist/cli.js: packs every package, lints the tarballs and weighs the main entries. Exit code 1 on a violation.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { budgetViolation, bundleSize } from "./bundle-size.js";
import { publishedPackages } from "./published-package.js";
import { tarballViolations } from "./tarball.js";

const packages = publishedPackages(path.join(import.meta.dirname, "..", "..", "..", "packages"));
const allPeers = packages.flatMap(({ peers }) => peers);
const destination = mkdtempSync(path.join(tmpdir(), "tfxio-pack-"));
const violations: string[] = [];
try {
  console.log(`${"package".padEnd(26)}${"gzip".padStart(9)}${"budget".padStart(9)}`);
  for (const pkg of packages) {
    const bytes = await bundleSize(pkg, allPeers);
    console.log(`${pkg.name.padEnd(26)}${String(bytes).padStart(9)}${String(pkg.bundleBudget ?? "none").padStart(9)}`);
    const overBudget = budgetViolation(pkg, bytes);
    if (overBudget !== undefined) violations.push(overBudget);
    violations.push(...tarballViolations(pkg, destination));
  }
} finally {
  rmSync(destination, { recursive: true, force: true });
}
for (const violation of violations) console.error(violation);
console.log(`${packages.length} packages, ${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
