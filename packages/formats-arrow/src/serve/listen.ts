import { lstat, mkdtemp, rm, unlink } from "node:fs/promises";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { SourceError } from "@tfxio/wire/errors";
import { assertSocketPath } from "../socket-path.js";

/** A listening server's address. */
export interface Listening {
  /** Address for clients. */
  readonly endpoint: string;
  /** Removes the files created for listening. Call it after the server has closed. */
  cleanUp(): Promise<void>;
}

/** Makes a server listen on a port, or on a free one if `port` is 0. @throws {SourceError} `io-failed` (`listen`). */
export async function listenOnPort(server: net.Server, host: string, port: number): Promise<Listening> {
  const shown = host.includes(":") ? `[${host}]` : host;
  await listening(server, { host, port }, `${shown}:${port}`);
  const { port: found } = server.address() as net.AddressInfo;
  return { endpoint: `${shown}:${found}`, cleanUp: () => Promise.resolve() };
}

/**
 * Makes a server listen on a Unix socket. By default, the socket is in a new folder that only this user can access. Replaces an
 * existing socket without a listener, such as one that a crashed process left. Never replaces any other file.
 * @throws {SourceError} `io-failed` (`listen`).
 */
export async function listenOnPath(server: net.Server, given: string | undefined): Promise<Listening> {
  if (given !== undefined) {
    assertSocketPath(given, `unix://${given}`, "listen");
    if (await isAbandoned(given)) await unlink(given).catch(() => undefined);
    await listening(server, { path: given }, `unix://${given}`);
    return { endpoint: `unix://${given}`, cleanUp: () => Promise.resolve() };
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), "tfxio-"));
  const cleanUp = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const endpoint = `unix://${path.join(folder, "arrow.sock")}`;
  try {
    await listening(server, { path: path.join(folder, "arrow.sock") }, endpoint);
  } catch (error) {
    await cleanUp();
    throw error;
  }
  return { endpoint, cleanUp };
}

function listening(server: net.Server, options: net.ListenOptions, endpoint: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (cause: Error): void => {
      const message = `Cannot listen on ${endpoint}: ${cause.message}`;
      reject(new SourceError("io-failed", message, { uri: endpoint, reason: "listen", cause }));
    };
    server.once("error", failed);
    server.listen(options, () => {
      server.off("error", failed);
      resolve();
    });
  });
}

/** True for a socket on which no process listens. */
async function isAbandoned(file: string): Promise<boolean> {
  const stats = await lstat(file).catch(() => undefined);
  if (stats?.isSocket() !== true) return false;
  return new Promise((resolve) => {
    const probe = net.connect({ path: file });
    const found = (isRejected: boolean) => (): void => {
      probe.destroy();
      resolve(isRejected);
    };
    probe.once("connect", found(false));
    probe.once("error", ({ code }: NodeJS.ErrnoException) => found(code === "ECONNREFUSED")());
  });
}
