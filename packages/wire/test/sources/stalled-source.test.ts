import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import {
  type ByteSource,
  decompressed,
  encodeTfRecords,
  httpSource,
  tfRecordBlocks,
  tfRecordWindows,
} from "../../src/index.js";
import { collect } from "../sources.js";

const plain = await encodeTfRecords([new Uint8Array(100)]);
const gzip = new Uint8Array(gzipSync(plain));

/** Returns a source that delivers `head` and then stalls, without an end or an error. The source ignores its signal. */
function deafSource(head: Uint8Array): ByteSource {
  const stalled = new Promise<never>(() => {});
  return {
    uri: "deaf",
    slice: async (start, end) => (end <= head.length ? head.subarray(start, end) : stalled),
    async *stream({ start = 0 } = {}) {
      if (start < head.length) yield head.subarray(start);
      await stalled;
    },
  };
}

const reads: Record<string, (source: ByteSource, signal: AbortSignal) => Promise<unknown>> = {
  decompressed: (source, signal) => collect(decompressed(source, { signal })),
  tfRecordBlocks: async (source, signal) => {
    for await (const _ of tfRecordBlocks(source, { signal }));
  },
  tfRecordWindows: async (source, signal) => {
    const windows = tfRecordWindows(source, { signal });
    for (let consumed = 0; ; consumed = plain.length) {
      if ((await windows.next(consumed)) === null) return;
    }
  },
};
const heads = [
  ["a plain file", plain, [0, 1, 5, 20, plain.length]],
  ["a gzip file", gzip, [0, 1, 5, gzip.length]],
] as const;
const cases = Object.entries(reads).flatMap(([name, read]) =>
  heads.flatMap(([what, bytes, lengths]) =>
    lengths.map((length) => ({ name, read, what, length, head: bytes.subarray(0, length) })),
  ),
);

describe("without a server,", () => {
  test.each(cases)(
    "$name rejects on abort if its source stalls at byte $length of $what",
    async ({ read, head }) => {
      const controller = new AbortController();
      const reading = read(deafSource(head), controller.signal);
      setImmediate(() => controller.abort("enough"));
      await expect(reading).rejects.toBe("enough");
    },
  );

  test("close() of TFRecord windows ends a pending read of a source that stalls", async () => {
    for (const length of [0, 20]) {
      const windows = tfRecordWindows(deafSource(plain.subarray(0, length)));
      const reading = windows.next(0);
      setImmediate(() => void windows.close());
      await expect(reading).rejects.toMatchObject({ code: "invalid-argument", reason: "closed" });
      await windows.close();
    }
  });

  test("reads leave no listener on a signal that outlives them", async () => {
    const { signal } = new AbortController();
    let numListeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    Object.assign(signal, {
      addEventListener: (...given: Parameters<typeof add>) => {
        numListeners++;
        add(...given);
      },
      removeEventListener: (...given: Parameters<typeof remove>) => {
        numListeners--;
        remove(...given);
      },
    });
    for (const bytes of [plain, gzip]) {
      const source: ByteSource = {
        uri: "whole",
        slice: async (start, end) => bytes.subarray(start, end),
        async *stream() {
          yield bytes;
        },
      };
      await reads["decompressed"]!(source, signal);
      await reads["tfRecordBlocks"]!(source, signal);
      for await (const _ of tfRecordBlocks(source, { signal })) break;
      for await (const _ of decompressed(source, { signal })) break;
    }
    expect(numListeners).toBe(0);
  });
});

describe("with a server,", () => {
  let server: Server;
  let url = "";
  let head: Uint8Array = plain;
  let onStall: (socket: Socket) => void;

  beforeAll(async () => {
    server = createServer((request, response) => {
      response.writeHead(200, { connection: "close" });
      if (request.method === "HEAD") {
        response.end();
        return;
      }
      response.flushHeaders();
      if (head.length > 0) response.write(head);
      onStall(request.socket);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test.each(cases)(
    "$name rejects on abort and closes the connection if the server stalls at byte $length of $what",
    async (given) => {
      head = given.head;
      const controller = new AbortController();
      const hungUp = new Promise((resolve) => {
        onStall = (socket) => {
          socket.once("close", resolve);
          setImmediate(() => controller.abort("enough"));
        };
      });
      const reading = given.read(await httpSource(url), controller.signal);
      await expect(reading).rejects.toBe("enough");
      await hungUp;
    },
  );
});
