import { expect, test } from "@jest/globals";
import * as checks from "../src/checks/index.js";
import * as errors from "../src/errors.js";
import * as wire from "../src/index.js";

test("exports these names and no others", () => {
  expect(Object.keys(wire).sort()).toEqual([
    "ArgumentError",
    "ConversionError",
    "DEFAULT_MAX_COLUMNS",
    "DEFAULT_MAX_RECORD_BYTES",
    "ProtoCursor",
    "ProtoWriter",
    "Random",
    "RecordError",
    "SchemaError",
    "SourceError",
    "TfxioError",
    "UnsupportedError",
    "UserFunctionError",
    "WireType",
    "assertByteSource",
    "blobSource",
    "bufferStream",
    "bytesSource",
    "coalescing",
    "compressedTarget",
    "countingTarget",
    "createFolder",
    "decodeTfRecord",
    "decompressed",
    "encodeTfRecord",
    "encodeTfRecords",
    "fileSource",
    "frameTfRecords",
    "httpSource",
    "isByteStream",
    "isRetryable",
    "isTfxioError",
    "leavable",
    "linkSignals",
    "memoryTarget",
    "onAbort",
    "openSources",
    "openTarget",
    "rememberHead",
    "retrying",
    "slicesOf",
    "streamSource",
    "tailOf",
    "tfRecordBlocks",
    "tfRecordWindows",
    "writeTfRecords",
  ]);
});

test("exports from ./errors the errors of the main entry", () => {
  for (const [name, value] of Object.entries(errors)) expect(wire).toHaveProperty(name, value);
});

test("exports from ./checks these names and no others", () => {
  expect(Object.keys(checks).sort()).toEqual([
    "aBoolean",
    "aFunction",
    "aList",
    "aListOf",
    "aListOfNames",
    "aName",
    "aNumber",
    "aPositiveInteger",
    "aReadCompression",
    "aString",
    "aUint8Array",
    "anAbortSignal",
    "anInteger",
    "anObject",
    "assertArgument",
    "assertKeys",
    "assertMembers",
    "assertOptional",
    "assertOptions",
    "describeValue",
    "invalidArgument",
    "isObject",
    "isTagged",
    "membersOf",
    "oneOf",
    "orByName",
    "required",
    "rule",
    "unusableArgument",
  ]);
});
