#!/usr/bin/env node
import { parseArgs } from "node:util";
import { installRepairs } from "../compat/install-repairs.js";
import { startExpansionService } from "../expansion/expansion-service.js";
import { controlEndpointOf } from "./control-endpoint.js";
import { runWorker } from "./run-worker.js";
import { startWorkerPool } from "./worker-pool.js";

const USAGE = `tfxio-beam-pool --listen HOST:PORT [--expansion HOST:PORT] [--require MODULE]…
tfxio-beam-pool --id ID (--control_endpoint HOST:PORT | --provision_endpoint HOST:PORT) [--require MODULE]…

The first form runs a pool, which starts workers for runners with an EXTERNAL environment. The second form runs one worker. To
use it, name this command in a PROCESS environment. The runner then adds the id and the endpoints.

  --expansion HOST:PORT
                     also offer TFXIO's sources to pipelines in other languages (see startExpansionService)
  --require MODULE   import a module (a path or a package name) that registers your functions. Can be repeated`;

const { values } = parseArgs({
  options: {
    listen: { type: "string" },
    expansion: { type: "string" },
    require: { type: "string", multiple: true, default: [] },
    help: { type: "boolean", default: false },
    // Arguments that runners pass to the workers that they start.
    id: { type: "string" },
    control_endpoint: { type: "string" },
    provision_endpoint: { type: "string" },
    logging_endpoint: { type: "string" },
    artifact_endpoint: { type: "string" },
  },
});

const { id, listen, require: modules } = values;
if (values.help) console.info(USAGE);
else if (id !== undefined) await serveRunner(id);
else if (listen !== undefined) await servePool(listen);
else {
  console.error(USAGE);
  process.exitCode = 2;
}

async function serveRunner(workerId: string): Promise<void> {
  // Without this line, the worker would keep running after its pool has ended.
  process.on("disconnect", () => process.exit(1));
  const { control_endpoint: control = "", provision_endpoint: provision = "" } = values;
  const controlEndpoint =
    control === "" ? await controlEndpointOf(installRepairs(), workerId, provision) : control;
  await runWorker({ id: workerId, controlEndpoint, modules });
}

async function servePool(address: string): Promise<void> {
  const pool = await startWorkerPool({ address, modules });
  console.info(`The worker pool listens on ${pool.address}.`);
  const { expansion } = values;
  const service =
    expansion === undefined
      ? undefined
      : await startExpansionService({ address: expansion, workerPool: pool.address });
  if (service !== undefined) console.info(`The expansion service listens on ${service.address}.`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      service?.stop();
      void pool.stop().then(() => process.exit(0));
    });
  }
}
