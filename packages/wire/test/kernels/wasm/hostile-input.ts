import { maskCrc32c, typescriptKernels } from "../../../src/kernels/index.js";
import { alikeRecords } from "./alike-records.js";
import type { Draw } from "./draw.js";
import { exampleTree, steadyExample } from "./example-tree.js";
import { sequenceTree, steadySequence } from "./sequence-tree.js";
import { editTree, writeFields } from "./wire-tree.js";

/** Returns records of the given payload type or, sometimes, of the other type. Records of one type can be parsed as the other. */
export function hostileRecords(draw: Draw, payload: "example" | "sequence"): Uint8Array[] {
  const isSequence = draw.oneIn(20) ? payload === "example" : payload === "sequence";
  if (draw.oneIn(20)) {
    const steadyTree = isSequence ? steadySequence : steadyExample;
    return Array.from({ length: 20 + draw.below(150) }, () => writeFields(steadyTree(draw)));
  }
  if (draw.oneIn(12)) return alikeRecords(draw, isSequence);
  const someTree = isSequence ? sequenceTree : exampleTree;
  return Array.from({ length: 1 + draw.below(12) }, () => {
    const tree = someTree(draw, draw.oneIn(2));
    if (draw.oneIn(3)) for (let n = draw.below(3); n >= 0; n--) editTree(draw, tree);
    const bytes = writeFields(tree);
    if (draw.oneIn(25) && bytes.length > 0)
      for (let n = draw.below(3); n >= 0; n--) bytes[draw.below(bytes.length)] = draw.below(256);
    return draw.oneIn(25) ? bytes.subarray(0, draw.below(bytes.length + 1)) : bytes;
  });
}

/** Returns the records as frames. Some of the frames may be damaged. */
export function framed(draw: Draw, records: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(records.reduce((total, { length }) => total + length + 16, 0));
  const view = new DataView(bytes.buffer);
  let p = 0;
  for (const record of records) {
    const length = draw.oneIn(150)
      ? draw.pick([2 ** 32 - 1, 2 ** 31, record.length + 1, 5000])
      : record.length;
    view.setUint32(p, length, true);
    view.setUint32(p + 4, draw.oneIn(200) ? 1 : 0, true);
    view.setUint32(p + 8, maskCrc32c(typescriptKernels.crc32c(bytes, p, p + 8)), true);
    bytes.set(record, p + 12);
    view.setUint32(p + 12 + record.length, maskCrc32c(typescriptKernels.crc32c(record)), true);
    p += record.length + 16;
  }
  if (draw.oneIn(20)) bytes[draw.below(bytes.length)]! ^= 1 << draw.below(8);
  return bytes;
}

/** Returns the records in one block, forwards or backwards, with gaps before some of them. */
export function block(
  draw: Draw,
  records: readonly Uint8Array[],
): { bytes: Uint8Array; starts: Uint32Array; ends: Uint32Array } {
  const starts = new Uint32Array(records.length);
  const ends = new Uint32Array(records.length);
  const order = draw.oneIn(4) ? [...records.keys()].toReversed() : [...records.keys()];
  const parts: Uint8Array[] = [];
  let p = 0;
  for (const index of order) {
    const gap = Uint8Array.from(draw.bytes(draw.pick([0, 0, 3, 12])));
    parts.push(gap, records[index]!);
    starts[index] = p + gap.length;
    ends[index] = p + gap.length + records[index]!.length;
    p = ends[index]!;
  }
  return { bytes: new Uint8Array(Buffer.concat(parts)), starts, ends };
}
