import { describe, expect, test } from "@jest/globals";
import {
  ArgumentError,
  ConversionError,
  isTfxioError,
  RecordError,
  SchemaError,
  SourceError,
  UnsupportedError,
  UserFunctionError,
} from "@tfxio/wire";
import { carryError, rebuildError } from "../../src/workers/carried-error.js";

/** Passes an error through a structured clone, as between threads. */
const crossed = (error: unknown): Error => rebuildError(structuredClone(carryError(error)));

describe("an error that crosses threads", () => {
  test.each([
    new ArgumentError("unknown-format", "which?", { argument: "format", reason: "undetected" }),
    new SourceError("not-found", "gone", { uri: "a/b", reason: "file" }),
    new RecordError("corrupt-record", "bad", {
      uri: "a",
      recordIndex: 7,
      byteOffset: 99,
      reason: "payload-crc",
    }),
    new SchemaError("schema-mismatch", "differs", {
      columnPath: "a.b",
      expected: "INT",
      actual: "FLOAT",
      line: 3,
    }),
    new ConversionError("out-of-range", "too large", { tensorName: "t", columnPath: "c", row: 0 }),
    new UnsupportedError("no", { feature: "flying" }),
    new UserFunctionError("yours threw", { operator: "map", elementIndex: 5 }),
  ])("keeps its class, code, message, fields and stack: %p", (error) => {
    const rebuilt = crossed(error);
    expect(rebuilt).toBeInstanceOf(error.constructor);
    expect(isTfxioError(rebuilt, error.code)).toBe(true);
    expect(rebuilt.message).toBe(error.message);
    expect(Object.entries(rebuilt)).toEqual(Object.entries(error));
    expect(rebuilt.stack).toBe(error.stack);
  });

  test("keeps its cause and the cause of that cause, and gets no cause if it had none", () => {
    const cause = new RangeError("below", { cause: "the root" });
    const rebuilt = crossed(new SourceError("io-failed", "broken", { cause }));
    expect(rebuilt.cause).toMatchObject({ name: "RangeError", message: "below", cause: "the root" });
    expect("cause" in crossed(new SourceError("io-failed", "broken"))).toBe(false);
  });

  test("keeps its name, message, code and errno if it is not a TfxioError", () => {
    const error = Object.assign(new TypeError("odd"), { code: "ERR_ODD", errno: -5 });
    expect(crossed(error)).toMatchObject({
      name: "TypeError",
      message: "odd",
      code: "ERR_ODD",
      errno: -5,
    });
    expect(isTfxioError(crossed(error))).toBe(false);
  });

  test("arrives as an Error even if the thrown value is not an Error", () => {
    expect(crossed("a word")).toMatchObject({ name: "Error", message: "a word" });
    expect(crossed(undefined).message).toBe("undefined");
  });

  test("keeps its message even if it is its own cause", () => {
    const error = new Error("ring");
    error.cause = error;
    expect(crossed(error).message).toBe("ring");
  });
});
