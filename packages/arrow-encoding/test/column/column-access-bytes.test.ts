import { describe, expect, test } from "@jest/globals";
import { BytesColumn } from "../../src/index.js";

describe("BytesColumn", () => {
  const column = new BytesColumn(Buffer.from("xabcdy"), Int32Array.of(1, 2, 2, 5));

  test("returns values as views of its data", () => {
    expect(column.length).toBe(3);
    expect(column.toArray().map((bytes) => Buffer.from(bytes).toString())).toEqual(["a", "", "bcd"]);
    expect(column.get(2).buffer).toBe(column.data.buffer);
  });

  test("narrows to a range without copying", () => {
    const part = column.subarray(1, 3);
    expect(part.toArray()).toEqual([new Uint8Array(0), new Uint8Array(Buffer.from("bcd"))]);
    expect(part.data).toBe(column.data);
    expect(column.subarray(3, 3).length).toBe(0);
  });

  test("concatenates separate values into one buffer", () => {
    const values = [Uint8Array.of(1, 2), new Uint8Array(0), Uint8Array.of(3)];
    const copy = BytesColumn.from(values);
    expect(copy.offsets).toEqual(Int32Array.of(0, 2, 2, 3));
    expect(copy.data).toEqual(Uint8Array.of(1, 2, 3));
    expect(BytesColumn.from([]).length).toBe(0);
  });
});
