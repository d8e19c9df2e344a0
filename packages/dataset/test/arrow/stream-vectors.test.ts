import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ArrowStreamDataset, type ArrowStreamDatasetOptions } from "../../src/arrow/index.js";
import { isTuple } from "../../src/index.js";

// Runs the conformance vectors over real sockets. tools/conformance runs them over streams in memory.

interface StreamVector {
  readonly id: string;
  readonly title: string;
  readonly endpoints: readonly string[];
  readonly dataset: ArrowStreamDatasetOptions;
  readonly expect: {
    readonly elements: readonly unknown[];
    readonly error?: { readonly category: string; readonly stage: string; readonly afterElements?: number };
  };
}

const file = new URL("../../../../tools/conformance/vectors/dataset/arrow_stream.json", import.meta.url);
const { vectors } = JSON.parse(readFileSync(file, "utf8")) as { readonly vectors: readonly StreamVector[] };
const categories: Readonly<Record<string, readonly string[]>> = {
  "data-loss": ["truncated-record", "corrupt-record", "malformed-payload"],
  "type-mismatch": ["schema-mismatch"],
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "tfxio-test-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Starts a server that sends the bytes to each client and then closes the connection. */
async function peerOf(bytes: Uint8Array, listen: net.ListenOptions): Promise<net.Server> {
  const server = net.createServer((socket) => socket.on("error", () => {}).end(bytes));
  await new Promise<void>((resolve) => server.listen(listen, resolve));
  return server;
}

/** Returns an element in the notation of the vectors. */
function plain(element: unknown): unknown {
  if (isTuple(element)) return { $tuple: element.map(plain) };
  if (typeof element === "bigint") return Number(element);
  if (typeof element !== "object" || element === null) return element;
  const { dtype, shape, values } = element as { dtype: string; shape: number[]; values: ArrayLike<number> };
  return { $tensor: { dtype, shape: [...shape], values: Array.from(values, Number) } };
}

describe.each(["tcp", "unix"])("ArrowStreamDataset over %s", (transport) => {
  const built = vectors.filter(({ endpoints }) => endpoints.length > 0);

  test.each(built.map((vector) => [vector.id, vector.title, vector] as const))(
    "yields the elements or the error that the conformance vector expects: %s, %s",
    async (id, _title, vector) => {
      const endpoints: string[] = [];
      const servers: net.Server[] = [];
      for (const [at, bytes] of vector.endpoints.entries()) {
        const socketPath = path.join(folder, `${id}-${at}`);
        const listen = transport === "tcp" ? { host: "127.0.0.1", port: 0 } : { path: socketPath };
        const server = await peerOf(Buffer.from(bytes, "base64"), listen);
        servers.push(server);
        const address = server.address();
        endpoints.push(
          typeof address === "string" ? `unix://${address}` : `tcp://127.0.0.1:${address?.port}`,
        );
      }
      try {
        const dataset = new ArrowStreamDataset(endpoints, vector.dataset);
        const elements: unknown[] = [];
        let code: string | undefined;
        try {
          for await (const element of dataset) elements.push(plain(element));
        } catch (error) {
          code = (error as { readonly code: string }).code;
        }
        const { error, elements: expected } = vector.expect;
        expect(elements).toEqual(expected);
        if (error === undefined) expect(code).toBeUndefined();
        else expect(categories[error.category]).toContain(code);
      } finally {
        for (const server of servers) await new Promise((resolve) => server.close(resolve));
      }
    },
  );
});

test("an empty list of endpoints is rejected at the call", () => {
  expect(() => new ArrowStreamDataset([])).toThrow("[invalid-argument]");
});
