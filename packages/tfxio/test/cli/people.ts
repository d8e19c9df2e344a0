import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import {
  defineSchema,
  encodeExample,
  encodeTfRecords,
  bytes,
  float,
  int,
  openTfxio,
  writeTfxio,
} from "tfxio";

/** Rows as `--json` writes them, with nulls and with text in several scripts. */
export const PEOPLE = [
  { name: ["Ada"], age: [36], city: ["London"], score: [1.5] },
  { name: ["Alan"], age: null, city: ["Wilmslow, UK"], score: null },
  { name: ["Grace"], age: [85], city: ["New York"], score: [2.25] },
  { name: ["Konrad"], age: [85], city: ["Hünfeld"], score: [-0.5] },
  { name: ["北野"], age: [9007199254], city: null, score: [0.1] },
] as const;

const CSV = `name,age,city,score
Ada,36,London,1.5
Alan,,"Wilmslow, UK",
Grace,85,New York,2.25
Konrad,85,Hünfeld,-0.5
北野,9007199254,,0.1
`;

const JSONL = `{"name":"Ada","age":36,"city":"London","score":1.5}
{"name":"Alan","age":null,"city":"Wilmslow, UK","score":null}
{"name":"Grace","age":85,"city":"New York","score":2.25}
{"name":"Konrad","age":85,"city":"Hünfeld","score":-0.5}
{"name":"北野","age":9007199254,"city":null,"score":0.1}
`;

const PROTO = `syntax = "proto2";
package demo;
message Person {
  optional string name = 1;
  optional int64 age = 2;
  optional string city = 3;
  optional float score = 4;
}
`;

const SCHEMA = `feature { name: "name" type: BYTES presence { min_fraction: 1 min_count: 1 } shape { dim { size: 1 } } }
feature { name: "age" type: INT }
feature { name: "city" type: BYTES }
feature { name: "score" type: FLOAT }
`;

/** Names of files that contain the same people in different formats. None of the files is written by the command. */
export const PEOPLE_FILES = [
  "people.csv",
  "people.jsonl",
  "people.tfrecord",
  "people.tfrecord.gz",
  "people.parquet",
  "people.arrow",
  "people.avro",
  "people.pbd",
] as const;

/** Returns the arguments that a command needs to read a file of {@link PEOPLE_FILES}. */
export function readingArguments(folder: string, file: string): string[] {
  const message = file.endsWith(".pbd")
    ? ["--proto", path.join(folder, "people.proto"), "--message", "demo.Person"]
    : [];
  return [path.join(folder, file), ...message];
}

/** Creates a folder with {@link PEOPLE_FILES}, `people.proto` and `schema.pbtxt`. The caller removes it. */
export async function peopleFolder(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "tfxio-command-"));
  const at = (name: string): string => path.join(folder, name);
  writeFileSync(at("people.csv"), CSV);
  writeFileSync(at("people.jsonl"), JSONL);
  writeFileSync(at("people.proto"), PROTO);
  writeFileSync(at("schema.pbtxt"), SCHEMA);
  writeFileSync(at("people.pbd"), Buffer.concat(PEOPLE.map(delimitedMessage)));
  writeFileSync(at("people.tfrecord"), await encodeTfRecords(PEOPLE.map(encodePerson)));
  const schema = defineSchema({ features: { name: bytes(), age: int(), city: bytes(), score: float() } });
  for (const file of ["people.tfrecord.gz", "people.parquet", "people.arrow", "people.avro"])
    await writeTfxio(await openTfxio(at("people.csv"), { schema }), at(file));
  return folder;
}

/**
 * Encodes a message, preceded by its length. All messages are shorter than 128 bytes.
 * @see protobuf.dev/programming-guides/encoding
 */
function delimitedMessage({ name, age, city, score }: (typeof PEOPLE)[number]): Uint8Array {
  const text = (field: number, values: readonly string[] | null): Buffer[] =>
    (values ?? []).map((value) =>
      Buffer.concat([Buffer.of((field << 3) | 2, Buffer.byteLength(value)), Buffer.from(value)]),
    );
  const varint = (value: number): number[] =>
    value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];
  const score32 = Buffer.alloc(4);
  score32.writeFloatLE(score?.[0] ?? 0);
  const message = Buffer.concat([
    ...text(1, name),
    ...(age ?? []).map((value) => Buffer.of(2 << 3, ...varint(value))),
    ...text(3, city),
    ...(score === null ? [] : [Buffer.of((4 << 3) | 5), score32]),
  ]);
  return Buffer.concat([Buffer.of(message.length), message]);
}

/** Writes the people in a common form of training data: two compressed TFRecord files. */
export async function writeTrainingFiles(folder: string): Promise<void> {
  for (const [index, rows] of [PEOPLE.slice(0, 3), PEOPLE.slice(3)].entries()) {
    const records = await encodeTfRecords(rows.map(encodePerson));
    writeFileSync(path.join(folder, `train-${index}.tfrecord.gz`), gzipSync(records));
  }
}

function encodePerson({ name, age, city, score }: (typeof PEOPLE)[number]): Uint8Array {
  return encodeExample({
    name: { kind: "bytes", values: [...name] },
    age: age && { kind: "int64", values: [...age] },
    city: city && { kind: "bytes", values: [...city] },
    score: score && { kind: "float", values: [...score] },
  });
}

/** Returns a TFRecord file that is too wide for narrow terminals: many columns, long lists, and bytes that are not text. */
export async function wideFile(): Promise<Uint8Array> {
  const int64 = (...values: number[]) => ({ kind: "int64", values }) as const;
  const rows = [0, 1, 2].map((row) =>
    encodeExample({
      a_id: int64(row),
      b_null: row === 1 ? int64(7) : null,
      c_empty: row === 1 ? int64(7) : int64(),
      d_list: int64(...Array.from({ length: 3 + 100 * row }, (_, index) => index)),
      e_text: { kind: "bytes", values: [["null", "", " a line\nand more"][row] as string] },
      f_image: {
        kind: "bytes",
        values: [Uint8Array.from({ length: 2000 * row + 3 }, (_, index) => 0xff - (index % 7))],
      },
      g_words: { kind: "bytes", values: ["one", 'two "quoted"', "三", "four", "five"].slice(0, 2 + row) },
      h_floats: { kind: "float", values: [0.1, Number.NaN, -1e30].slice(0, row + 1) },
      i_long: { kind: "bytes", values: ["x".repeat(60 * row + 2)] },
      ...Object.fromEntries(
        Array.from({ length: 12 }, (_, index) => [`z_${index + 10}`, int64(index * row)]),
      ),
    }),
  );
  return encodeTfRecords(rows);
}
