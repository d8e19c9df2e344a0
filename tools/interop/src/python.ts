import { existsSync } from "node:fs";
import path from "node:path";
import { type InteropContext, type Reporter, Unavailable } from "./interop.js";
import { prepare, runCommand } from "./run-command.js";

const folder = path.join(import.meta.dirname, "..", "python");

/** A Python package, and the Python that it is installed for. */
interface Requirement {
  readonly package: string;
  readonly interpreter: string;
  /** A dependency in Python alone that is published as source, without a wheel. */
  readonly source?: string;
  /** A further package that it needs for what is done with it. */
  readonly beside?: string;
}

/** Packages for our own Python: those that the checks were written with. */
const requirements = {
  tensorflow: { package: "tensorflow-cpu==2.21.0", interpreter: "python3" },
  pyarrow: { package: "pyarrow==26.0.1", interpreter: "python3" },
  // It gives Arrow tables through pyarrow.
  duckdb: { package: "duckdb==2.0.0", interpreter: "python3", beside: "pyarrow==26.0.1" },
  // It does snappy through cramjam.
  fastavro: { package: "fastavro==1.13.1", interpreter: "python3", beside: "cramjam==2.14.0" },
  // Its wheels are built for a few versions of Python.
  tfx_bsl: { package: "tfx-bsl==1.21.0", interpreter: "python3.11", source: "google-apitools" },
} as const satisfies Readonly<Record<string, Requirement>>;

/** What finding a Python takes of an {@link InteropContext}. */
export interface PythonContext extends Pick<InteropContext, "cacheFolder" | "python"> {
  readonly report: Pick<Reporter, "note">;
}

/**
 * A Python that can import `module`: the user's, if one is named, as it is; else one of our own in the cache, into
 * which the module is installed.
 * @throws {Unavailable} with the reason when there is none.
 */
export async function pythonWith(
  module: keyof typeof requirements,
  { cacheFolder, python, report }: PythonContext,
): Promise<string> {
  if (python !== undefined) {
    const { exitCode, stderr } = await runCommand(python, ["-c", `import ${module}`]);
    if (exitCode === 0) return python;
    throw new Unavailable(`${python} cannot import ${module}: ${stderr.trim().split("\n").at(-1) ?? ""}`);
  }
  const environment = path.join(cacheFolder, `python-${module.replace("_", "-")}`);
  const own = path.join(
    environment,
    ...(process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"]),
  );
  if (existsSync(own) && (await runCommand(own, ["-c", `import ${module}`])).exitCode === 0) return own;
  const { package: requirement, interpreter, source, beside }: Requirement = requirements[module];
  report.note(`installing ${requirement} for Python in ${environment}`);
  await prepare(interpreter, ["-m", "venv", "--clear", environment]);
  const wheels = ["--only-binary=:all:", ...(source === undefined ? [] : [`--no-binary=${source}`])];
  await prepare(own, [
    "-m",
    "pip",
    "install",
    "--quiet",
    ...wheels,
    requirement,
    ...(beside === undefined ? [] : [beside]),
  ]);
  return own;
}

/** Runs one of the scripts in `python/` and gives what it printed, which is JSON. */
export async function runPython(python: string, script: string, args: readonly string[]): Promise<unknown> {
  const env = { ...process.env, TF_CPP_MIN_LOG_LEVEL: "3", CUDA_VISIBLE_DEVICES: "" };
  const { exitCode, stdout, stderr } = await runCommand(python, [path.join(folder, script), ...args], {
    env,
  });
  if (exitCode === 0) return JSON.parse(stdout);
  throw new Error(
    `${script} ended with ${exitCode ?? "a signal"}: ${stderr.trim().split("\n").slice(-3).join(" ")}`,
  );
}
