import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@jest/globals";
import { encodeExample, encodeSequenceExample } from "@tfxio/arrow-encoding";
import { encodeTfRecords } from "@tfxio/wire";
import { openTfxio } from "../src/index.js";

const MEBIBYTE = 2 ** 20;

/** Serves `file` while `run` uses its URL. Returns the method and the range of each request. */
async function requestsOf(file: Uint8Array, run: (url: string) => Promise<void>): Promise<string[]> {
  const requests: string[] = [];
  const server = createServer(({ method = "", headers }, response) => {
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? "") ?? [];
    requests.push(from === undefined ? method : `${method} ${from}-${to}`);
    const start = Number(from ?? 0);
    const end = Math.min(file.length, to === undefined || to === "" ? file.length : Number(to) + 1);
    const length = { "content-length": end - start, etag: '"1"', "accept-ranges": "bytes" };
    response.writeHead(from === undefined ? 200 : 206, {
      ...length,
      ...(from !== undefined && { "content-range": `bytes ${start}-${end - 1}/${file.length}` }),
    });
    response.end(method === "HEAD" ? undefined : file.subarray(start, end));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}/data.tfrecord`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return requests;
}

const records = (numRecords: number, numBytes: number): Promise<Uint8Array> =>
  encodeTfRecords(
    Array.from({ length: numRecords }, (_, index) =>
      encodeExample({
        id: { kind: "int64", values: [BigInt(index)] },
        pad: { kind: "bytes", values: [new Uint8Array(numBytes)] },
      }),
    ),
  );

async function idsOf(url: string): Promise<number[]> {
  const ids: number[] = [];
  const tfxio = await openTfxio(url);
  for await (const row of tfxio.rows({ workers: 0 })) ids.push(Number(row["id"]));
  return ids;
}

const upTo = (end: number): number[] => Array.from({ length: end }, (_, index) => index);

test("a small file is opened and read over HTTP with one request for its bytes", async () => {
  const file = await records(50, 10);
  const requests = await requestsOf(file, async (url) => {
    expect(await idsOf(url)).toEqual(upTo(50));
  });
  expect(requests).toEqual(["HEAD", `GET 0-${file.length - 1}`]);
});

test("a file of 3 MB is read over HTTP with two requests for its bytes: the first mebibyte, then the rest", async () => {
  const requests = await requestsOf(await records(30, 100_000), async (url) => {
    expect(await idsOf(url)).toEqual(upTo(30));
  });
  expect(requests).toEqual(["HEAD", `GET 0-${MEBIBYTE - 1}`, `GET ${MEBIBYTE}-`]);
});

test("a second pass over a remote file yields all rows again", async () => {
  await requestsOf(await records(30, 100_000), async (url) => {
    const tfxio = await openTfxio(url);
    for (let pass = 0; pass < 2; pass++) {
      const ids: number[] = [];
      for await (const row of tfxio.rows({ workers: 0 })) ids.push(Number(row["id"]));
      expect(ids).toEqual(upTo(30));
    }
  });
});

test("SequenceExamples are detected over HTTP", async () => {
  const sequence = encodeSequenceExample({ featureLists: { s: [{ kind: "int64", values: [1n] }] } });
  await requestsOf(await encodeTfRecords([sequence]), async (url) => {
    const names: unknown[] = [];
    for await (const batch of (await openTfxio(url)).recordBatches({ workers: 0 }))
      names.push(batch.schema.names);
    expect(names).toEqual([["##SEQUENCE##"]]);
  });
});
