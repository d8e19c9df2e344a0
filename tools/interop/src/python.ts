import { existsSync } from "node:fs";
import path from "node:path";
import { type InteropContext, type Reporter, Unavailable } from "./interop.js";
import { endOf, prepare, runCommand } from "./run-command.js";

const folder = path.join(import.meta.dirname, "..", "python");

/** Python packages, and the Python that runs them. */
interface Requirement {
  /** Packages to install with their dependencies, by import name. */
  readonly packages: Readonly<Record<string, string>>;
  /** Program that creates the virtual environment. */
  readonly interpreter: string;
  /** Name of a pure Python dependency that is published only as source, without a wheel. */
  readonly source?: string;
  /** Packages to install without their dependencies, by import name. */
  readonly alone?: Readonly<Record<string, string>>;
}

/** Packages of the environments in the cache, in the versions for which the checks were written. */
const requirements = {
  tensorflow: { packages: { tensorflow: "tensorflow-cpu==2.21.0" }, interpreter: "python3" },
  pyarrow: { packages: { pyarrow: "pyarrow==26.0.1" }, interpreter: "python3" },
  tables: {
    packages: {
      numpy: "numpy==2.4.6",
      pyarrow: "pyarrow==26.0.1",
      duckdb: "duckdb==2.0.0",
      polars: "polars==2.1.0",
    },
    interpreter: "python3",
  },
  dataset: {
    packages: { tensorflow: "tensorflow-cpu==2.21.0", grain: "grain==0.2.18", pyarrow: "pyarrow==26.0.1" },
    interpreter: "python3",
  },
  // DuckDB returns Arrow tables through pyarrow.
  duckdb: { packages: { duckdb: "duckdb==2.0.0", pyarrow: "pyarrow==26.0.1" }, interpreter: "python3" },
  // fastavro uses cramjam for snappy.
  fastavro: {
    packages: { fastavro: "fastavro==1.13.1", cramjam: "cramjam==2.14.0" },
    interpreter: "python3",
  },
  // The following packages have wheels only for a few versions of Python.
  ml_metadata: { packages: { ml_metadata: "ml-metadata==1.17.1" }, interpreter: "python3.11" },
  apache_beam: { packages: { apache_beam: "apache-beam==2.77.0" }, interpreter: "python3.11" },
  struct2tensor: { packages: { struct2tensor: "struct2tensor==0.48.1" }, interpreter: "python3.11" },
  tfx_bsl: {
    packages: { tfx_bsl: "tfx-bsl==1.21.0" },
    interpreter: "python3.11",
    source: "google-apitools",
  },
  // On Python 3.11, TFX's pinned dependencies need conflicting versions of protobuf. The modules of TFX that we call do work with
  // the following versions.
  tfx: {
    packages: {
      tfx_bsl: "tfx-bsl==1.21.0",
      jinja2: "jinja2==3.1.6",
      docker: "docker==7.2.0",
      kubernetes: "kubernetes==37.0.1",
    },
    alone: {
      ml_metadata: "ml-metadata==1.17.1",
      "tfx.types": "ml-pipelines-sdk==1.21.0",
      tfx: "tfx==1.21.0",
    },
    interpreter: "python3.11",
    source: "google-apitools",
  },
} as const satisfies Readonly<Record<string, Requirement>>;

/** The part of an {@link InteropContext} that {@link pythonWith} needs. */
export interface PythonContext extends Pick<InteropContext, "cacheFolder" | "python"> {
  readonly report: Pick<Reporter, "note">;
}

/**
 * Resolves to a Python that can import the modules of a requirement. If the user named a Python, it is used unchanged. Otherwise
 * a virtual environment in the cache is used. If it cannot import the modules, the packages are installed into a new one.
 * @throws {Unavailable} with the reason if no Python works.
 */
export async function pythonWith(
  needed: keyof typeof requirements,
  { cacheFolder, python, report }: PythonContext,
): Promise<string> {
  const { packages, interpreter, source, alone = {} }: Requirement = requirements[needed];
  const importing = `import ${Object.keys({ ...packages, ...alone }).join(", ")}`;
  if (python !== undefined) {
    const { exitCode, stderr } = await runCommand(python, ["-c", importing]);
    if (exitCode === 0) return python;
    const why = stderr.trim().split("\n").at(-1) || `it ${endOf(exitCode)}`;
    throw new Unavailable(`${python} cannot ${importing}: ${why}`);
  }
  const environment = path.join(cacheFolder, `python-${needed.replace("_", "-")}`);
  const own = path.join(
    environment,
    ...(process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"]),
  );
  if (existsSync(own) && (await runCommand(own, ["-c", importing])).exitCode === 0) return own;
  const requested = Object.values(packages);
  const all = [...requested, ...Object.values(alone)];
  report.note(`installing ${all.join(", ")} into the Python environment ${environment}`);
  await prepare(interpreter, ["-m", "venv", "--clear", environment]);
  const wheels = ["--only-binary=:all:", ...(source === undefined ? [] : [`--no-binary=${source}`])];
  await prepare(own, ["-m", "pip", "install", "--quiet", ...wheels, ...requested]);
  if (Object.keys(alone).length > 0) {
    await prepare(own, ["-m", "pip", "install", "--quiet", "--no-deps", ...wheels, ...Object.values(alone)]);
  }
  return own;
}

/** Runs a script in `python/` and resolves to the JSON that it printed. @throws {Error} if the script fails. */
export async function runPython(python: string, script: string, args: readonly string[]): Promise<unknown> {
  const env = { ...process.env, TF_CPP_MIN_LOG_LEVEL: "3", CUDA_VISIBLE_DEVICES: "" };
  const { exitCode, stdout, stderr } = await runCommand(python, [path.join(folder, script), ...args], {
    env,
  });
  if (exitCode === 0) return JSON.parse(stdout);
  throw new Error(`${script} ${endOf(exitCode)}: ${stderr.trim().split("\n").slice(-3).join(" ")}`);
}
