import { describe, expect, test } from "@jest/globals";
import {
  bytesSource,
  decompressed,
  encodeTfRecord,
  encodeTfRecords,
  fileSource,
  httpSource,
  openSources,
  tfRecordBlocks,
  tfRecordWindows,
  writeTfRecords,
} from "../src/index.js";
import { collect, failure } from "./sources.js";

const source = bytesSource(await encodeTfRecords([Uint8Array.of(1)]));

/** Functions that take options, each with its required arguments. */
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
  test("rejects an unknown option, and lists the known options", async () => {
    const error = await failure(take({ compresion: "gzip" }), "invalid-argument");
    expect(error).toMatchObject({ argument: "compresion", reason: "unknown-option" });
    expect(error.message).toMatch(name === "encodeTfRecords" ? /compression, level/ : /signal/);
  });

  test.each([null, 5, "gzip"])("rejects %j as options", async (options) => {
    const error = await failure(take(options as never), "invalid-argument");
    expect(error.message).toContain(`options must be an object, found ${JSON.stringify(options)}.`);
  });

  if (name !== "encodeTfRecords") {
    test.each([
      ["null", null],
      ["a number", 5],
      ["an empty object", {}],
      ["an AbortController", new AbortController()],
    ])("rejects %s as its signal", async (_, signal) => {
      expect(await failure(take({ signal }), "invalid-argument")).toMatchObject({ argument: "signal" });
    });
  }
});

describe("functions of @tfxio/wire reject", () => {
  test.each([
    ["a path", "data.tfrecord"],
    ["bytes", Uint8Array.of(1)],
    ["a number", 5],
    ["null", null],
  ])("%s instead of a source", async (_, given) => {
    const none = given as never;
    for (const read of [decompressed(none), tfRecordBlocks(none)]) {
      expect(await failure(read.next(), "invalid-argument")).toMatchObject({ reason: "source-type" });
    }
    expect(await failure(() => tfRecordWindows(none), "invalid-argument")).toMatchObject({
      reason: "source-type",
    });
  });

  test.each([5, null, undefined, {}])("%j instead of records", async (records) => {
    const none = records as never;
    for (const write of [encodeTfRecords(none), writeTfRecords(none, "no/such/folder/file")]) {
      expect(await failure(write, "invalid-argument")).toMatchObject({ reason: "record-type" });
    }
    expect(await failure(() => encodeTfRecord(none), "invalid-argument")).toMatchObject({
      reason: "record-type",
    });
  });

  test("an empty path, and a value that is not a target", async () => {
    for (const run of [openSources(""), fileSource(""), writeTfRecords([], "")]) {
      expect((await failure(run, "invalid-argument")).message).toContain(`found ""`);
    }
    expect(await failure(writeTfRecords([], 5 as never), "invalid-argument")).toMatchObject({
      argument: "target",
    });
  });
});

test.each<[string, object]>([
  ["onProgress", { onProgress: 5 }],
  ["compression", { compression: "zip" }],
  ["level", { level: 10 }],
  ["numShards", { numShards: 0.5 }],
])("writeTfRecords rejects an invalid %s", async (argument, options) => {
  expect(await failure(takers["writeTfRecords"]!(options), "invalid-argument")).toMatchObject({ argument });
});

test.each<[string, object]>([
  ["verifyPayload", { verifyPayload: "no" }],
  ["maxRecordBytes", { maxRecordBytes: "5" }],
  ["maxRecordBytes", { maxRecordBytes: Number.NaN }],
  ["compression", { compression: 5 }],
  ["from", { from: 5 }],
  ["from.row", { from: {} }],
  ["from.detail", { from: { row: 0, detail: -1 } }],
  ["index", { from: { row: 0, index: 5 } }],
])("tfRecordBlocks rejects an invalid option, and names %s", async (argument, options) => {
  expect(await failure(takers["tfRecordBlocks"]!(options), "invalid-argument")).toMatchObject({ argument });
});
