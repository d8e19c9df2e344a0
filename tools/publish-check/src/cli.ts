// node dist/cli.js: packs every package, lints the tarballs, and compares the main entries with their size budgets. Then it
// installs the tarballs into applications that use them. Exits with 1 if it finds a violation.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Application, applicationViolations } from "./application.js";
import { budgetViolation, bundleSize } from "./bundle-size.js";
import { type PublishedPackage, publishedPackages } from "./published-package.js";
import { packed, tarballViolations } from "./tarball.js";

const applications: readonly Application[] = [
  {
    name: "without-tensorflow",
    installs: ["apache-arrow@21", "libsql@0.5.29"],
    programs: ["read.mjs"],
    absent: ["@tensorflow/tfjs-core", "@tensorflow/tfjs-data", "webgpu"],
    testsCommand: true,
  },
  {
    name: "with-tensorflow",
    installs: ["apache-arrow@21", "@tensorflow/tfjs-core@4", "@tensorflow/tfjs-backend-cpu@4"],
    programs: ["read.mjs", "tensors.mjs"],
    absent: ["@tensorflow/tfjs-data", "@tensorflow/tfjs-backend-webgpu", "webgpu"],
    // tfjs-core 4.22 uses a global `Long`, and depends on @webgpu/types, which conflicts with TypeScript's DOM types.
    brokenDeclarations: /^(node_modules\/(@tensorflow|@webgpu)\/|\S*lib\.dom\.d\.ts|\s)/,
  },
  {
    name: "with-beam",
    installs: ["apache-arrow@21", "apache-beam@2.49.0"],
    programs: [],
    examples: [
      { path: "beam-combine/combine.ts", prints: "mean fare 50" },
      { path: "beam-convert/convert.ts", prints: "manifest 20000 rows" },
    ],
    absent: ["@tensorflow/tfjs-core"],
    skipsTypes: true,
  },
];

const packages = publishedPackages(path.join(import.meta.dirname, "..", "..", "..", "packages"));
const own = new Set(packages.map(({ name }) => name));
// A workspace package is excluded only from bundles of packages that declare it as a peer or import it only on demand.
const outside = packages
  .flatMap(({ peers, loadedLate }) => [...peers, ...loadedLate])
  .filter((name) => !own.has(name));
const destination = mkdtempSync(path.join(tmpdir(), "tfxio-pack-"));
const violations: string[] = [];

/**
 * Resolves to the size in bytes of a main entry's bundle, or to undefined if bundling fails. Adds a violation if bundling fails,
 * the size exceeds the budget, or there is no budget.
 */
async function measured(pkg: PublishedPackage): Promise<number | undefined> {
  try {
    const bytes = await bundleSize(pkg, outside);
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
  }
  const tarballs = packages.map((pkg) => packed(pkg, destination));
  violations.push(...tarballs.flatMap(tarballViolations));
  for (const application of applications) {
    const found = applicationViolations(application, tarballs, destination);
    console.log(
      `${application.name.padEnd(26)}${found.length === 0 ? "installs, runs and compiles" : "fails"}`,
    );
    violations.push(...found);
  }
} finally {
  rmSync(destination, { recursive: true, force: true });
}
for (const violation of violations) console.error(violation);
console.log(`${packages.length} packages, ${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
