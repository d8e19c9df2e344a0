import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { aListOfNames, aName, assertOptions } from "@tfxio/wire/checks";
import { installRepairs } from "../compat/install-repairs.js";
import { listen } from "./listen.js";

/** Options of {@link startWorkerPool}. */
export interface WorkerPoolOptions {
  /** `host:port` to listen on. Default `localhost:0`, a free port. Anyone who can connect can run code, so keep it private. */
  readonly address?: string | undefined;
  /** Modules that each worker imports first: paths, or names of packages. Default none. */
  readonly modules?: readonly string[] | undefined;
}

/** A running pool. */
export interface WorkerPool {
  /** `host:port` with the actual port, for `portableRunner` and for runners' EXTERNAL environments. */
  readonly address: string;
  /** Process ids of the running workers, by worker id. */
  readonly workers: ReadonlyMap<string, number>;
  /** Ends all workers and the server. Resolves when the last process is gone. */
  readonly stop: () => Promise<void>;
}

const RULES = { address: aName, modules: aListOfNames };

/**
 * Serves workers to runners with an EXTERNAL environment, each in its own Node process. Workers share nothing, so a crash ends
 * only one of them. A pool outlives its jobs.
 * @throws {SourceError} `io-failed` (`beam-runner`) if the pool cannot listen on the address.
 * @throws {UnsupportedError} `unsupported` (`beam-sdk`).
 * @see Beam's `beam_fn_api.proto`, "BeamFnExternalWorkerPool"
 */
export async function startWorkerPool(options: WorkerPoolOptions = {}): Promise<WorkerPool> {
  assertOptions("startWorkerPool", options, RULES);
  const { address = "localhost:0", modules = [] } = options;
  const sdk = installRepairs();
  const workers = new Map<string, ChildProcess>();
  const server = new sdk.grpc.Server();
  server.addService(sdk.fnServices.beamFnExternalWorkerPoolDefinition, {
    startWorker: ({ request }: { readonly request: StartWorker }, answer: Answer) => {
      startWorker(workers, request, modules).then(
        () => answer(null, { error: "" }),
        (error: unknown) => answer(null, { error: String(error) }),
      );
    },
    stopWorker: ({ request }: { readonly request: { readonly workerId: string } }, answer: Answer) => {
      workers.get(request.workerId)?.kill();
      answer(null, { error: "" });
    },
  });
  const bound = await listen(server, sdk, address);
  return {
    address: bound,
    get workers() {
      return new Map(Array.from(workers, ([id, { pid = 0 }]) => [id, pid]));
    },
    stop: async () => {
      server.forceShutdown();
      await Promise.all(Array.from(workers.values(), ended));
    },
  };
}

/** The part of a runner's request that a worker needs. */
interface StartWorker {
  readonly workerId: string;
  readonly controlEndpoint?: { readonly url: string };
}

type Answer = (error: null, response: { readonly error: string }) => void;

async function startWorker(
  workers: Map<string, ChildProcess>,
  { workerId, controlEndpoint }: StartWorker,
  modules: readonly string[],
): Promise<void> {
  if (workers.has(workerId)) throw new Error(`worker ${workerId} is already running`);
  const script = fileURLToPath(new URL("../../dist/node/pool-main.js", import.meta.url));
  const args = [
    `--id=${workerId}`,
    `--control_endpoint=${controlEndpoint?.url ?? ""}`,
    ...modules.map((name) => `--require=${name}`),
  ];
  const child = fork(script, args, { execArgv: inheritedExecArgv() });
  workers.set(workerId, child);
  child.once("exit", () => workers.delete(workerId));
  await new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
}

/**
 * Node's arguments of this process, which its workers inherit. None if this process evaluates code: Node would evaluate it again
 * instead of running the worker's script.
 */
function inheritedExecArgv(): string[] {
  const isEvaluating = process.execArgv.some((argument) =>
    /^(-e|-p|-pe|--eval|--print|--input-type)(=|$)/.test(argument),
  );
  return isEvaluating ? [] : process.execArgv;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => {
    child.once("exit", resolve);
    child.kill();
  });
}
