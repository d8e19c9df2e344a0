import { describe, expect, test } from "@jest/globals";
import {
  bytesSource,
  decompressed,
  encodeTfRecords,
  httpSource,
  openSources,
  tfRecordBlocks,
  tfRecordWindows,
  writeTfRecords,
} from "../src/index.js";
import { collect, failure } from "./sources.js";

const source = bytesSource(await encodeTfRecords([Uint8Array.of(1)]));

/** What takes options, called with any. */
const takers: Record<string, (options: object) => Promise<unknown>> = {
  decompressed: (options) => collect(decompressed(source, options)),
  encodeTfRecords: (options) => encodeTfRecords([], options),
  httpSource: (options) => httpSource("http://127.0.0.1:1/", options),
  openSources: (options) => openSources(Uint8Array.of(1), options),
  tfRecordBlocks: async (options) => tfRecordBlocks(source, options).next(),
  tfRecordWindows: async (options) => tfRecordWindows(source, options).next(0),
  writeTfRecords: (options) => writeTfRecords([], "no/such/folder/file", options),
};

describe.each(Object.entries(takers))("%s", (name, take) => {
  test("refuses an option that it does not have, and says which it has", async () => {
    const error = await failure(take({ compresion: "gzip" }), "invalid-argument");
    expect(error).toMatchObject({ argument: "compresion", reason: "unknown-option" });
    expect(error.message).toMatch(name === "encodeTfRecords" ? /compression, level/ : /signal/);
  });

  test.each([null, 5, "gzip"])("refuses %j for its options", async (options) => {
    await failure(take(options as never), "invalid-argument");
  });

  if (name !== "encodeTfRecords") {
    test.each([null, 5, {}, new AbortController()])("refuses a signal that is none: %j", async (signal) => {
      expect(await failure(take({ signal }), "invalid-argument")).toMatchObject({ argument: "signal" });
    });
  }
});

test.each<[string, object]>([
  ["onProgress", { onProgress: 5 }],
  ["compression", { compression: "zip" }],
  ["level", { level: 10 }],
  ["numShards", { numShards: 0.5 }],
])("writeTfRecords refuses a wrong %s", async (argument, options) => {
  expect(await failure(takers["writeTfRecords"]!(options), "invalid-argument")).toMatchObject({ argument });
});

test.each<[string, object]>([
  ["verifyPayload", { verifyPayload: "no" }],
  ["maxRecordBytes", { maxRecordBytes: "5" }],
  ["maxRecordBytes", { maxRecordBytes: Number.NaN }],
  ["compression", { compression: 5 }],
  ["from", { from: 5 }],
  ["from.recordIndex", { from: {} }],
  ["from.byteOffset", { from: { recordIndex: 0, byteOffset: -1 } }],
  ["index", { from: { recordIndex: 0, index: 5 } }],
])("tfRecordBlocks refuses a wrong %s", async (argument, options) => {
  expect(await failure(takers["tfRecordBlocks"]!(options), "invalid-argument")).toMatchObject({ argument });
});
