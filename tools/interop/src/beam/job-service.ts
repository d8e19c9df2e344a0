import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Unavailable } from "../interop.js";

/** A running job service, which accepts pipelines. */
export interface JobService {
  /** Address in the form `host:port`. */
  readonly address: string;
  /** Id of the service's process. */
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** The command that starts a job service. */
export interface JobServiceCommand {
  readonly program: string;
  readonly args: (port: number) => readonly string[];
}

// Maximum time until the service accepts connections.
const READY_MS = 60_000;

/** Starts a job service on a free port. @throws {Unavailable} if it exits or does not open the port within a minute. */
export async function startJobService({ program, args }: JobServiceCommand): Promise<JobService> {
  const port = await freePort();
  const child = spawn(program, args(port), { stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log = (log + text).slice(-2000)));
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  const isRunning = (): boolean =>
    child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  const start = Date.now();
  while (!(await isOpen(port))) {
    if (isRunning() && Date.now() - start < READY_MS) await sleep(100);
    else {
      child.kill();
      const why = log.trim().split("\n").at(-1) || "it printed no error";
      throw new Unavailable(`the job service did not open its port: ${why}`);
    }
  }
  return {
    address: `localhost:${port}`,
    pid: child.pid as number,
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}

/** Finds a free port. Another process may take the port before it is used. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "localhost");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
