import { mkdir } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { allInterops } from "./all-interops.js";
import { cacheFolder } from "./cache-folder.js";
import { type Interop, Unavailable } from "./interop.js";
import { createReporter } from "./reporter.js";

const usage = `pnpm interop [--python PATH] [--flink] [NAME…]

Runs checks against external software. Missing software is downloaded to a cache outside the repository. If it cannot be
downloaded, its checks are skipped, and the reason is printed. The exit code is 1 if a check fails, 2 for invalid arguments.

  --python PATH   a Python with the required packages (also TFXIO_INTEROP_PYTHON); default: environments in the cache
  --flink         also run beam on Flink; needs Java and Maven, and downloads 150 MB
  VK_ICD_FILENAMES or VK_DRIVER_FILES chooses the device of webgpu; default: SwiftShader
  XDG_CACHE_HOME, if an absolute path, is the folder in which the cache is created
  TFXIO_FUZZ_RECORDS sets the number of random records in tfx-bsl (default: 2000) and of queries in struct2tensor (default: 500)

NAME is one of the following; without a NAME, all run:`;

const labels = { passed: "ok  ", failed: "FAIL", skipped: "skip" };
const root = path.join(import.meta.dirname, "..", "..", "..");

/**
 * Runs the interops that `args` name, or all of them. Resolves to the exit code: 0 if no check failed, 1 if a check failed, 2 for
 * an invalid command line.
 */
export async function main(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  print: (line: string) => void,
  interops: readonly Interop[] = allInterops,
): Promise<0 | 1 | 2> {
  let options: ReturnType<typeof parse>;
  try {
    options = parse(args, interops);
  } catch (error) {
    print(`interop: ${error instanceof Error ? error.message : String(error)}`);
    return 2;
  }
  if (options.help) {
    print(usage);
    for (const { name, about } of interops) print(`  ${name.padEnd(13)} ${about}`);
    return 0;
  }
  const invokedFrom = environment["TFXIO_INVOKED_FROM"] ?? process.cwd();
  const python = options.python ?? environment["TFXIO_INTEROP_PYTHON"];
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const report = createReporter(
    ({ status, what, why }) => {
      counts[status]++;
      print(`${labels[status]}  ${what}${why && `: ${why}`}`);
    },
    (line) => print(`      ${line}`),
  );
  const context = {
    cacheFolder: cacheFolder(environment),
    dataFolder: path.join(root, "..", "shared", "data"),
    // A name without a folder is found on the PATH.
    python: python?.includes(path.sep) ? path.resolve(invokedFrom, python) : python,
    flink: options.flink,
    environment,
    report,
  };
  await mkdir(context.cacheFolder, { recursive: true });
  for (const { name, about, run } of options.interops) {
    print(`${name}: ${about}`);
    try {
      await run(context);
    } catch (error) {
      if (error instanceof Unavailable) report.skipped(name, error.message);
      else report.failed(name, error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
  }
  print(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  return counts.failed === 0 ? 0 : 1;
}

function parse(args: readonly string[], interops: readonly Interop[]) {
  const { values, positionals } = parseArgs({
    args: args.filter((arg) => arg !== "--"),
    allowPositionals: true,
    options: {
      python: { type: "string" },
      flink: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const unknown = positionals.find((name) => !interops.some((each) => each.name === name));
  if (unknown !== undefined) {
    throw new RangeError(
      `unknown name "${unknown}"; the names are ${interops.map(({ name }) => name).join(", ")}`,
    );
  }
  const chosen =
    positionals.length === 0 ? interops : interops.filter(({ name }) => positionals.includes(name));
  return { ...values, interops: chosen };
}
