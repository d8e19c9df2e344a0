import type { ConvertSubject } from "./convert-subject.js";

/**
 * Copies as many bytes as the tensor has, from one place to one other, so in cache where they fit: as fast as it can
 * get. Of COO only the indices count: the values stay where they are.
 */
export const memcpy: ConvertSubject = {
  name: "memcpy",
  prepare: async ({ kind, rowSize }, { rowSplits, values }) => {
    const numRows = rowSplits.length - 1;
    const numBytes = {
      dense: values.byteLength,
      sparse: 2 * Int32Array.BYTES_PER_ELEMENT * values.length,
      pad: numRows * rowSize * values.BYTES_PER_ELEMENT,
      ragged: values.byteLength + rowSplits.byteLength,
    }[kind];
    const source = new Uint8Array(numBytes).fill(1);
    const target = new Uint8Array(numBytes);
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
