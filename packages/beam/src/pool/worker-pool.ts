import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { aListOfNames, aName, assertOptions } from "@tfxio/wire/checks";
import { installRepairs } from "../compat/install-repairs.js";
import { listen } from "./listen.js";

/** Options of {@link startWorkerPool}. */
export interface WorkerPoolOptions {
  /**
   * `host:port` to listen on. Default `localhost:0`, which means a free port. Keep it private: anyone who can connect can run
   * code on this machine.
   */
  readonly address?: string | undefined;
  /** Modules that each worker imports first: paths or package names, resolved from the working folder. Default: none. */
  readonly modules?: readonly string[] | undefined;
}

/** A running pool. */
export interface WorkerPool {
  /** `host:port` with the actual port, for `portableRunner` and for runners' EXTERNAL environments. */
  readonly address: string;
  /** Process ids of the running workers, by worker id. */
  readonly workers: ReadonlyMap<string, number>;
  /** Ends the server and all workers. Resolves when the last worker process has exited. */
  readonly stop: () => Promise<void>;
}

const RULES = { address: aName, modules: aListOfNames };

/**
 * Starts a pool of workers for runners with an EXTERNAL environment. When a runner asks for a worker, the pool starts it as a
 * separate Node process, so a crash ends only one worker. The pool keeps running when a job ends.
 * @throws {ArgumentError} `invalid-argument` for invalid options.
 * @throws {SourceError} `io-failed` (`beam-runner`) if the pool cannot listen on the address.
 * @throws {UnsupportedError} `unsupported` (`beam-sdk`) without the SDK.
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

/** Starts a worker process. Resolves when the process has been created, which is before it connects to the runner. */
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
    child.once("error", (error) => {
      // A process that could not be started emits no "exit".
      if (child.pid === undefined) workers.delete(workerId);
      reject(error);
    });
  });
}

/**
 * Returns the Node options of this process, which its workers inherit. Returns none if this process evaluates code, as with
 * `node -e`, because Node would evaluate that code again instead of running the worker's script.
 */
function inheritedExecArgv(): string[] {
  const isEvaluating = process.execArgv.some((argument) =>
    /^(-e|-p|-pe|--eval|--print|--input-type)(=|$)/.test(argument),
  );
  return isEvaluating ? [] : process.execArgv;
}

/** Ends a worker and waits until its process has exited. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => {
    child.once("exit", resolve);
    child.kill();
  });
}
