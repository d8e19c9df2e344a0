import { describe, expect, test } from "@jest/globals";
import { KernelStatus, typescriptKernels } from "../../src/kernels/index.js";
import { frame } from "./frames.js";

const options = { verifyPayload: true, maxRecordBytes: 100 };
const records = [Uint8Array.of(1, 2, 3), new Uint8Array(0), Uint8Array.of(4)];
const bytes = new Uint8Array(Buffer.concat([Uint8Array.of(7), ...records.map((record) => frame(record))]));

const scan = (input: Uint8Array, end = input.length, maxRecords = Infinity): unknown => {
  const { starts, ends, ...rest } = typescriptKernels.scanTfRecords(input, 1, end, maxRecords, options);
  return { ...rest, starts: [...starts], ends: [...ends] };
};

describe("scanTfRecords", () => {
  test("is tested with a helper that frames an empty record as TensorFlow does", () => {
    expect(Buffer.from(frame(new Uint8Array(0))).toString("hex")).toBe("000000000000000029039807d8ea82a2");
  });

  test("finds the bounds of every record", () => {
    expect(scan(bytes)).toEqual({
      status: KernelStatus.ok,
      consumed: 19 + 16 + 17,
      numRecords: 3,
      isFull: false,
      errorOffset: -1,
      starts: [13, 32, 48],
      ends: [16, 32, 49],
    });
  });

  test("stops before a record that is truncated at any byte", () => {
    for (let end = 36; end < bytes.length; end++) {
      expect(scan(bytes, end)).toMatchObject({ status: KernelStatus.ok, consumed: 35, numRecords: 2 });
    }
  });

  test("stops after the requested number of records", () => {
    expect(scan(bytes, bytes.length, 1)).toMatchObject({ consumed: 19, numRecords: 1, isFull: true });
  });

  test("reports a wrong checksum, and the position of the damaged frame", () => {
    const damaged = (at: number): Uint8Array => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte));
    const second = { numRecords: 0, consumed: 0, errorOffset: 1 };
    for (const at of [1, 5, 8, 9, 12])
      expect(scan(damaged(at))).toMatchObject({ status: KernelStatus.lengthCrc, ...second });
    for (const at of [13, 15, 16, 19])
      expect(scan(damaged(at))).toMatchObject({ status: KernelStatus.dataCrc, ...second });
    expect(scan(damaged(36))).toMatchObject({
      status: KernelStatus.lengthCrc,
      numRecords: 2,
      errorOffset: 36,
    });
  });

  test("rejects a record longer than maxRecordBytes, even if only its first bytes are available", () => {
    const long = new Uint8Array(Buffer.concat([Uint8Array.of(0), frame(new Uint8Array(101))]));
    expect(scan(long)).toMatchObject({ status: KernelStatus.recordTooLong, errorOffset: 1 });
    expect(scan(long, 14)).toMatchObject({ status: KernelStatus.recordTooLong });
    const huge = new Uint8Array(Buffer.concat([Uint8Array.of(0), frame(new Uint8Array(1), 2n ** 33n)]));
    expect(scan(huge)).toMatchObject({ status: KernelStatus.recordTooLong });
  });

  test("does not verify the checksum of the payload if verifyPayload is false", () => {
    const damaged = bytes.slice();
    damaged[13]! ^= 1;
    const unchecked = { verifyPayload: false, maxRecordBytes: 100 };
    expect(typescriptKernels.scanTfRecords(damaged, 1, bytes.length, Infinity, unchecked).numRecords).toBe(3);
  });

  test("finds 5000 records in one call", () => {
    const many = new Uint8Array(Buffer.concat(Array.from({ length: 5000 }, () => frame(Uint8Array.of(1)))));
    const { numRecords, starts, ends } = typescriptKernels.scanTfRecords(
      many,
      0,
      many.length,
      Infinity,
      options,
    );
    expect([numRecords, starts.length, starts[4999], ends[4999]]).toEqual([
      5000,
      5000,
      4999 * 17 + 12,
      4999 * 17 + 13,
    ]);
  });
});
