import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { beamRuntime } from "../transforms/beam-runtime.js";

/** Settings of a worker process. */
export interface WorkerSettings {
  /** Id that the runner gave this worker. */
  readonly id: string;
  /** `host:port` of the runner's control service. */
  readonly controlEndpoint: string;
  /** Paths or package names of the modules that {@link runWorker} imports. Both are resolved from the working folder. */
  readonly modules: readonly string[];
}

/**
 * Turns this process into a worker of a runner. Repairs the SDK, then imports the caller's modules, which register the functions
 * that pipelines refer to by name. The process exits with 0 when the runner closes the control channel, and with 1 when the
 * channel breaks.
 * @throws the errors of importing the modules. In that case, the worker does not connect to the runner.
 */
export async function runWorker({ id, controlEndpoint, modules }: WorkerSettings): Promise<void> {
  const { sdk } = beamRuntime();
  await importModules(modules);
  const { controlChannel } = new sdk.worker.Worker(id, { controlUrl: controlEndpoint }, {});
  controlChannel.on("end", () => process.exit(0));
  controlChannel.on("error", () => process.exit(1));
}

/** Imports modules in the given order. Paths and package names are resolved from the working folder. */
async function importModules(modules: readonly string[]): Promise<void> {
  const require = createRequire(path.join(process.cwd(), "index.js"));
  for (const name of modules) await import(pathToFileURL(require.resolve(name)).href);
}
