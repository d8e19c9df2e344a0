import type { Conversion, ConversionInput } from "./conversion.js";
import type { ConvertSubject } from "./convert-subject.js";
import { varintBytes } from "./varint-bytes.js";

/**
 * Copies as many bytes as the result has, to show the upper limit of speed. It always uses the same two buffers, which stay
 * in cache if they fit. For COO it copies only as many bytes as the indices have, because the values are not copied.
 */
export const memcpy: ConvertSubject = {
  name: "memcpy",
  prepare: async (conversion, input) => {
    const source = new Uint8Array(numBytesOf(conversion, input)).fill(1);
    const target = new Uint8Array(source.length);
    return {
      run: async (repeats) => {
        const start = performance.now();
        for (let i = 0; i < repeats; i++) target.set(source);
        return (performance.now() - start) / 1000;
      },
      digest: async () => undefined,
    };
  },
};

function numBytesOf({ kind, rowSize }: Conversion, { rowSplits, values, rows }: ConversionInput): number {
  const valueBytes = values.BYTES_PER_ELEMENT;
  switch (kind) {
    case "dense":
      return values.byteLength;
    case "sparse":
      return 2 * Int32Array.BYTES_PER_ELEMENT * values.length;
    case "pad":
      return (rowSplits.length - 1) * rowSize * valueBytes;
    case "ragged":
      return values.byteLength + rowSplits.byteLength;
    case "take": {
      const lengths = rows.map((row) => (rowSplits[row + 1] as number) - (rowSplits[row] as number));
      return lengths.reduce((total, length) => total + length, 0) * valueBytes + rowSplits.byteLength;
    }
    case "varints":
      return (
        rowSplits.byteLength + (values as BigInt64Array).reduce((sum, value) => sum + varintBytes(value), 0)
      );
  }
}
