import { type BenchSet, utf8 } from "./bench-set.js";
import { type ValueKind, writeBytesValue, writeEntry, writeFeature, writeMap } from "./example-fields.js";
import type { ReverseWriter } from "./reverse-writer.js";

/**
 * SequenceExamples of 0 to 30 steps. The context has three features. A step has 64 `rgb` and 16 `audio` floats, one token id, and
 * 0 to 3 words.
 */
export const seq: BenchSet = {
  name: "seq",
  payload: "sequence-example",
  columns: [
    { name: "video_id", kind: "bytes", fixedLength: 1 },
    { name: "label", kind: "int64" },
    { name: "weight", kind: "float", fixedLength: 1 },
  ],
  sequenceColumns: [
    { name: "rgb", kind: "float" },
    { name: "audio", kind: "float" },
    { name: "token_ids", kind: "int64" },
    { name: "words", kind: "bytes" },
  ],
  createRecordWriter: (random) => {
    const words = Array.from({ length: 1000 }, () =>
      utf8(random.below(36 ** (1 + random.below(8))).toString(36)),
    );
    const feature = (writer: ReverseWriter, name: string, kind: ValueKind, writeValues: () => void): void =>
      writeEntry(writer, utf8(name), () => writeFeature(writer, kind, writeValues));
    const list = (
      writer: ReverseWriter,
      name: string,
      kind: ValueKind,
      steps: number,
      writeStep: () => void,
    ): void =>
      writeEntry(writer, utf8(name), () => {
        for (let step = 0; step < steps; step++) {
          const end = writer.position;
          writeFeature(writer, kind, writeStep);
          writer.close(0x0a, end);
        }
      });
    return (writer) => {
      const steps = random.below(31);
      const floats = (count: number) => () => {
        for (let i = 0; i < count; i++) writer.float((random.below(4096) - 2048) / 1024);
      };
      writeMap(writer, 2, () => {
        list(writer, "words", "bytes", steps, () => {
          for (let n = random.below(4); n > 0; n--) writeBytesValue(writer, random.pick(words));
        });
        list(writer, "token_ids", "int64", steps, () => writer.varint(random.below(30_000)));
        list(writer, "audio", "float", steps, floats(16));
        list(writer, "rgb", "float", steps, floats(64));
      });
      writeMap(writer, 1, () => {
        feature(writer, "weight", "float", () => writer.float(random.unit()));
        feature(writer, "label", "int64", () => {
          for (let n = random.below(5); n > 0; n--) writer.varint(random.below(3862));
        });
        feature(writer, "video_id", "bytes", () =>
          writeBytesValue(writer, utf8(random.uint32().toString(16).padStart(8, "0"))),
        );
      });
    };
  },
};
