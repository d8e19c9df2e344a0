// node dist/cli.js: packs every package, lints the tarballs and weighs the main entries. Exit code 1 on a violation.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { budgetViolation, bundleSize } from "./bundle-size.js";
import { type PublishedPackage, publishedPackages } from "./published-package.js";
import { tarballViolations } from "./tarball.js";

const packages = publishedPackages(path.join(import.meta.dirname, "..", "..", "..", "packages"));
const allPeers = packages.flatMap(({ peers }) => peers);
const destination = mkdtempSync(path.join(tmpdir(), "tfxio-pack-"));
const violations: string[] = [];

/** Size of the main entry; undefined, with a violation, when it cannot be bundled. */
async function measured(pkg: PublishedPackage): Promise<number | undefined> {
  try {
    const bytes = await bundleSize(pkg, allPeers);
    const overBudget = budgetViolation(pkg, bytes);
    if (overBudget !== undefined) violations.push(overBudget);
    return bytes;
  } catch (error) {
    violations.push(`${pkg.name}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

try {
  console.log(`${"package".padEnd(26)}${"gzip".padStart(9)}${"budget".padStart(9)}`);
  for (const pkg of packages) {
    const size = await measured(pkg);
    console.log(
      `${pkg.name.padEnd(26)}${String(size ?? "?").padStart(9)}${String(pkg.bundleBudget ?? "none").padStart(9)}`,
    );
    violations.push(...tarballViolations(pkg, destination));
  }
} finally {
  rmSync(destination, { recursive: true, force: true });
}
for (const violation of violations) console.error(violation);
console.log(`${packages.length} packages, ${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
