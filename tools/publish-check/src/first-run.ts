// node dist/first-run.js [RUNS]: measures `npx tfxio head` when nothing is installed and npm's cache is empty. A local registry
// serves the packed packages. In a warm-up run, the registry also loads all other packages into memory, so the timed runs need
// no network.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { publishedPackages } from "./published-package.js";
import { type RegistryStandIn, serveTarballs } from "./registry-stand-in.js";
import { run } from "./run.js";
import { packed } from "./tarball.js";

/** Elapsed time and processor time of one run. */
interface FirstRun {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

const folder = mkdtempSync(path.join(tmpdir(), "tfxio-first-run-"));
const numRuns = Number(process.argv[2] ?? 3);

/**
 * Runs the command with a new npm cache.
 * @throws {Error} with the command's output if the command fails or does not print "London".
 */
async function firstRun(url: string, cache: string): Promise<FirstRun> {
  const env = {
    ...process.env,
    npm_config_registry: url,
    npm_config_cache: cache,
    npm_config_replace_registry_host: "never",
  };
  const start = performance.now();
  // `times` prints the processor time of the shell on one line, and that of its children on the next.
  const command = "npm exec --yes --package=tfxio -- tfxio head people.csv && times";
  const child = spawn("sh", ["-c", command], { cwd: folder, env });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += String(chunk)));
  child.stderr.on("data", (chunk: Buffer) => (output += String(chunk)));
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== 0 || !output.includes("London"))
    throw new Error(
      `npx tfxio head must exit with 0 and print "London", found exit code ${code ?? "none"}:\n${output}`,
    );
  const seconds = (performance.now() - start) / 1000;
  const [user = 0, system = 0] = Array.from(
    (output.trim().split("\n").at(-1) ?? "").matchAll(/(\d+)m([\d.]+)s/g),
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  );
  return { seconds, cpuSeconds: user + system };
}

/** Returns the number and the total size of the files in a folder and its subfolders. */
function sizeOf(parent: string): { readonly numFiles: number; readonly numBytes: number } {
  const files = readdirSync(parent, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const numBytes = files.reduce((sum, file) => sum + statSync(path.join(file.parentPath, file.name)).size, 0);
  return { numFiles: files.length, numBytes };
}

function median(values: readonly number[]): string {
  return (values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0).toFixed(1);
}

const megabytes = (numBytes: number): string => `${(numBytes / 1e6).toFixed(1)} MB`;

let registry: RegistryStandIn | undefined;
try {
  writeFileSync(path.join(folder, "people.csv"), "name,city\nAda,London\n");
  const packages = publishedPackages(path.join(import.meta.dirname, "..", "..", "..", "packages"));
  const { output } = run("npm", ["config", "get", "registry"], folder);
  // The output may also contain warnings.
  const upstream = /^https?:\S+$/m.exec(output)?.[0] ?? "https://registry.npmjs.org/";
  registry = await serveTarballs(
    packages.map((pkg) => packed(pkg, folder)),
    upstream,
  );
  await firstRun(registry.url, path.join(folder, "warm"));
  const { numTarballs, tarballBytes, metadataBytes, largest } = registry.takeTotals();
  console.log(
    `download: ${numTarballs} packages, ${megabytes(tarballBytes)}, metadata ${megabytes(metadataBytes)}`,
  );
  for (const [name, size] of largest.slice(0, 12)) console.log(`  ${megabytes(size).padStart(8)} ${name}`);
  const { numFiles, numBytes } = sizeOf(path.join(folder, "warm", "_npx"));
  console.log(`installed: ${numFiles} files, ${megabytes(numBytes)}`);
  const runs: FirstRun[] = [];
  for (let index = 0; index < numRuns; index++)
    runs.push(await firstRun(registry.url, path.join(folder, `cache-${index}`)));
  const seconds = median(runs.map((each) => each.seconds));
  const cpuSeconds = median(runs.map((each) => each.cpuSeconds));
  console.log(`npx tfxio head: ${seconds} s, ${cpuSeconds} s of processor time (medians of ${numRuns})`);
} finally {
  registry?.close();
  rmSync(folder, { recursive: true, force: true });
}
