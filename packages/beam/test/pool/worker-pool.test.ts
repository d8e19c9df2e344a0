import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { startWorkerPool, type WorkerPool } from "@tfxio/beam/pool";
import { loadSdk, type Sdk } from "../../src/compat/sdk.js";
import { type ControlService, startControlService } from "./control-service.js";

let sdk: Sdk;
let runner: ControlService;
let pool: WorkerPool;
let folder = "";
const children: ChildProcess[] = [];
beforeAll(async () => {
  // loadSdk replaces a missing @google-cloud/pubsub with an empty module, but jest's module loader ignores that.
  jest.mock("@google-cloud/pubsub", () => ({}), { virtual: true });
  for (const method of ["log", "info"] as const) jest.spyOn(console, method).mockImplementation(() => {});
  sdk = loadSdk();
  folder = await mkdtemp(path.join(tmpdir(), "beam-pool-"));
  const module = path.join(folder, "functions.mjs");
  const text =
    'import { appendFileSync } from "node:fs"; appendFileSync(new URL("imported", import.meta.url), "x");';
  await writeFile(module, text);
  runner = await startControlService(sdk);
  pool = await startWorkerPool({ modules: [module] });
});
afterAll(async () => {
  for (const child of children) child.kill();
  await pool.stop();
  runner.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Calls a method of a pool, as a runner does. Resolves to the error in the response, which is "" if there is none. */
async function callPool(
  method: "startWorker" | "stopWorker",
  request: object,
  address = pool.address,
): Promise<string> {
  const require = createRequire(import.meta.url);
  const { BeamFnExternalWorkerPoolClient } =
    require("apache-beam/proto/beam_fn_api.grpc-client") as Sdk["clients"];
  const insecure = sdk.grpc.ChannelCredentials.createInsecure() as never;
  const client = new BeamFnExternalWorkerPoolClient(address, insecure, {}, {});
  try {
    return await new Promise((resolve, reject) => {
      client[method](request as never, (error: unknown, response?: { readonly error: string }) => {
        if (error === null) resolve(response?.error ?? "no response");
        else reject(error);
      });
    });
  } finally {
    client.close();
  }
}

const start = (workerId: string, address = pool.address): Promise<string> =>
  callPool("startWorker", { workerId, controlEndpoint: { url: runner.address }, params: {} }, address);

async function untilGone(workerId: string): Promise<void> {
  while (pool.workers.has(workerId)) await sleep(10);
}

test("a worker runs in a separate process, imports the caller's modules and registers under its id", async () => {
  expect(await start("first")).toBe("");
  const worker = await runner.nextWorker();
  expect(worker.id).toBe("first");
  expect(await readFile(path.join(folder, "imported"), "utf8")).toBe("x");
  expect(pool.workers.get("first")).not.toBe(process.pid);
  worker.dismiss();
  await untilGone("first");
});

test("a worker sends its id when requesting a bundle descriptor, runs the bundle, and rejects unknown instructions", async () => {
  await start("asking");
  const worker = await runner.nextWorker();
  const bundle = { processBundleDescriptorId: "d", cacheTokens: [], elements: undefined };
  const done = await worker.ask({
    instructionId: "1",
    request: { oneofKind: "processBundle", processBundle: bundle },
  });
  expect(done).toMatchObject({ instructionId: "1", error: "", response: { oneofKind: "processBundle" } });
  expect(runner.descriptorCallers).toEqual(["asking"]);
  const rejected = await worker.ask({
    instructionId: "2",
    request: { oneofKind: "finalizeBundle", finalizeBundle: { instructionId: "1" } },
  });
  expect(rejected).toMatchObject({ instructionId: "2", error: "Unknown instruction: finalizeBundle" });
  worker.dismiss();
  await untilGone("asking");
});

test("a pool rejects the id of a running worker, stops a worker on demand, and survives the death of a worker", async () => {
  await start("second");
  await runner.nextWorker();
  expect(await start("second")).toContain("is already running");
  expect(await callPool("stopWorker", { workerId: "second" })).toBe("");
  await untilGone("second");
  await start("third");
  await runner.nextWorker();
  process.kill(pool.workers.get("third") as number, "SIGKILL");
  await untilGone("third");
  expect(await start("fourth")).toBe("");
  expect((await runner.nextWorker()).id).toBe("fourth");
});

test("stop() ends the worker processes of a pool", async () => {
  const other = await startWorkerPool();
  await other.stop();
  const pids = [...pool.workers.values()];
  await pool.stop();
  expect(pids).toHaveLength(1);
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

test("a worker process asks the provision service for the control endpoint if the runner does not pass one", async () => {
  const main = path.join(import.meta.dirname, "../../dist/node/pool-main.js");
  const child = spawn(process.execPath, [main, "--id=boot", `--provision_endpoint=${runner.address}`]);
  const exit = once(child, "exit");
  const worker = await runner.nextWorker();
  expect(worker.id).toBe("boot");
  worker.dismiss();
  expect(await exit).toEqual([0, null]);
});

test("a pool starts workers even if its program was passed to `node --eval`", async () => {
  const entry = new URL("../../dist/node/pool.js", import.meta.url).href;
  const text = `const { startWorkerPool } = await import(${JSON.stringify(entry)});
    console.log((await startWorkerPool()).address);`;
  const evaluating = spawn(process.execPath, ["--input-type=module", "--eval", text]);
  children.push(evaluating);
  const [address] = await once(evaluating.stdout.setEncoding("utf8"), "data");
  expect(await start("evaluated", String(address).trim())).toBe("");
  const worker = await runner.nextWorker();
  expect(worker.id).toBe("evaluated");
  worker.dismiss();
});

test("if a worker cannot be started, the pool returns the error, and tries again when next asked for that worker", async () => {
  const entry = new URL("../../dist/node/pool.js", import.meta.url).href;
  const text = `process.execPath = "/missing";
    const { startWorkerPool } = await import(${JSON.stringify(entry)});
    console.log((await startWorkerPool()).address);`;
  const crippled = spawn(process.execPath, ["--input-type=module", "--eval", text]);
  children.push(crippled);
  const [address] = await once(crippled.stdout.setEncoding("utf8"), "data");
  for (const _ of [1, 2]) expect(await start("absent", String(address).trim())).toContain("ENOENT");
});

test("startWorkerPool rejects an address that is in use", async () => {
  await expect(startWorkerPool({ address: runner.address })).rejects.toMatchObject({
    code: "io-failed",
    reason: "beam-runner",
  });
});
