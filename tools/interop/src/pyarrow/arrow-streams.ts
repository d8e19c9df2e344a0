import net from "node:net";
import path from "node:path";
import { createStreamClient } from "@tfxio/formats-arrow/client";
import { serveRecordBatches } from "@tfxio/formats-arrow/serve";
import { isTfxioError } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { assertSame } from "../assert-same.js";
import type { Reporter } from "../interop.js";
import { runPython } from "../python.js";

const SCRIPT = "arrow_streams.py";
// Python needs some time before it listens, so we retry for up to 30 s.
const retry = { attempts: 300, delayMs: 100 };

/** Checks streams over sockets. First pyarrow serves and we read. Then we serve the same data, and pyarrow compares it. */
export async function checkArrowStreams(python: string, folder: string, { check }: Reporter): Promise<void> {
  for (const transport of ["tcp", "unix"] as const) {
    const endpoint =
      transport === "unix"
        ? `unix://${path.join(folder, "python.sock")}`
        : `tcp://127.0.0.1:${await freePort()}`;
    let batches: readonly RecordBatch[] = [];
    await check(`pyarrow serves three passes over ${transport}, and we read them all`, async () => {
      const client = createStreamClient(endpoint, { retry });
      const read = async (): Promise<number> => {
        for (let pass = 0; pass < 3; pass++) {
          const found: RecordBatch[] = [];
          for await (const batch of client.recordBatches()) found.push(batch);
          batches = found;
        }
        return batches.reduce((sum, { numRows }) => sum + numRows, 0);
      };
      const [sent, found] = await Promise.all([runPython(python, SCRIPT, ["serve", endpoint, "3"]), read()]);
      assertSame(sent, found);
    });
    for (const compression of ["none", "lz4", "zstd"] as const) {
      await check(
        `we serve pyarrow's batches over ${transport} with compression "${compression}", and pyarrow reads them back`,
        () => comparedByPython(python, batches, { transport, compression }),
      );
    }
    if (transport === "tcp") {
      await check("we serve pyarrow's batches over HTTP, and pyarrow reads them back", () =>
        comparedByPython(python, batches, { transport: "http", compression: "none" }),
      );
    }
  }
  await check("we report an error when pyarrow's stream ends without the end marker", async () => {
    const endpoint = `unix://${path.join(folder, "cut.sock")}`;
    const read = async (): Promise<unknown> => {
      let numRows = 0;
      try {
        for await (const batch of createStreamClient(endpoint, { retry }).recordBatches()) {
          numRows += batch.numRows;
        }
      } catch (error) {
        if (isTfxioError(error, "truncated-record")) return [numRows, error.reason];
        throw error;
      }
      return [numRows, "no error"];
    };
    const [sent, found] = await Promise.all([
      runPython(python, SCRIPT, ["serve", endpoint, "1", "cut"]),
      read(),
    ]);
    assertSame([sent, "end-marker"], found);
  });
}

/** Serves the batches, and lets pyarrow compare what it reads with its own batches. */
async function comparedByPython(
  python: string,
  batches: readonly RecordBatch[],
  options: { readonly transport: "tcp" | "unix" | "http"; readonly compression: "none" | "lz4" | "zstd" },
): Promise<void> {
  await using server = await serveRecordBatches(() => batches, options);
  const endpoint = options.transport === "tcp" ? `tcp://${server.endpoint}` : server.endpoint;
  assertSame([], await runPython(python, SCRIPT, ["read", endpoint]));
}

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
