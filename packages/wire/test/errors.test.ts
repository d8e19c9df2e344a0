import { describe, expect, jest, test } from "@jest/globals";
import {
  ArgumentError,
  ConversionError,
  isTfxioError,
  RecordError,
  SchemaError,
  SourceError,
  TfxioError,
  UnsupportedError,
  UserFunctionError,
} from "../src/errors.js";

const location = { uri: "a.tfrecord", recordIndex: 3, byteOffset: 44 };
const everyError = [
  [new ArgumentError("invalid-argument", "text", { argument: "size" }), { argument: "size" }],
  [new SourceError("not-found", "text", { uri: "a" }), { uri: "a" }],
  [new RecordError("corrupt-record", "text", location), location],
  [
    new SchemaError("schema-mismatch", "text", {
      columnPath: "a.b",
      expected: "int64",
      actual: "float",
      ...location,
    }),
    { columnPath: "a.b", expected: "int64", actual: "float", ...location },
  ],
  [
    new ConversionError("out-of-range", "text", { tensorName: "t", columnPath: "a", row: 2 }),
    { tensorName: "t", columnPath: "a", row: 2 },
  ],
  [new UnsupportedError("text", { feature: "globs" }), { feature: "globs", code: "unsupported" }],
  [
    new UserFunctionError("text", { operator: "map", elementIndex: 5 }),
    { operator: "map", elementIndex: 5, code: "user-function" },
  ],
] as const;

describe("errors", () => {
  test("link to the documentation of their reason, or of their code if they have no reason", () => {
    const page = "https://github.com/tfxio/tfxio/blob/main/docs/errors.md";
    expect(new SourceError("io-failed", "text", { reason: "http-status" }).helpUrl).toBe(
      `${page}#http-status`,
    );
    expect(new SourceError("not-found", "text").helpUrl).toBe(`${page}#not-found`);
  });

  test("begin their messages with their codes, and have the name and the fields of their class", () => {
    for (const [error, fields] of everyError) {
      expect(error).toBeInstanceOf(TfxioError);
      expect(error.message).toBe(`[${error.code}] text`);
      expect(error.name).toBe(error.constructor.name);
      expect(error).toMatchObject(fields);
    }
  });

  test("keep their cause and reason, and have no cause property if no cause is given", () => {
    const cause = new Error("below");
    const error = new SourceError("io-failed", "text", { cause, reason: "http-status" });
    expect(error.cause).toBe(cause);
    expect(error.reason).toBe("http-status");
    expect("cause" in new SourceError("io-failed", "text")).toBe(false);
  });
});

describe("isTfxioError", () => {
  test("narrows an error to the classes that have the given codes", () => {
    const error: unknown = new RecordError("truncated-record", "text", location);
    expect(isTfxioError(error)).toBe(true);
    expect(isTfxioError(error, "not-found", "truncated-record")).toBe(true);
    expect(isTfxioError(error, "not-found")).toBe(false);
    const recordIndex = isTfxioError(error, "truncated-record") ? error.recordIndex : undefined;
    expect(recordIndex).toBe(3);
  });

  test("is false for values that are not TfxioErrors", () => {
    const lookalike = Object.assign(new Error("[not-found] text"), { code: "not-found" });
    for (const value of [lookalike, { code: "not-found" }, null, undefined, "not-found", 1]) {
      expect(isTfxioError(value)).toBe(false);
    }
  });

  test("recognizes errors of a second copy of the module", async () => {
    jest.resetModules();
    const second = await import("../src/errors.js");
    const error = new second.SourceError("not-found", "text");
    expect(second.SourceError).not.toBe(SourceError);
    expect(error).not.toBeInstanceOf(SourceError);
    expect(isTfxioError(error, "not-found")).toBe(true);
  });
});
