import type { ArtifactInput, Properties } from "@tfxio/artifacts";
import type { Random } from "../seeded.js";

/** A list of Examples artifacts to resolve together for one split. */
export interface TfxCase {
  /** Ids in the store. */
  readonly ids: readonly number[];
  readonly split: string;
  readonly readAsRaw: boolean;
  readonly rawColumn: string | null;
}

const SPLITS: readonly string[] = ["train", "eval"];
const PAYLOADS: readonly (string | undefined)[] = [
  "FORMAT_TF_EXAMPLE",
  "FORMAT_TF_SEQUENCE_EXAMPLE",
  "FORMAT_PROTO",
  "FORMAT_PROTO",
  "FORMAT_PROTO",
  "FORMAT_PARQUET",
  "FORMAT_UNSPECIFIED",
  "FORMAT_UNKNOWN_TO_ALL",
  undefined,
];
const FILE_FORMATS: readonly (string | undefined)[] = [
  ...Array<string>(10).fill("FORMAT_TFRECORDS_GZIP"),
  ...Array<string>(5).fill("tfrecords_gzip"),
  ...Array<undefined>(7).fill(undefined),
  "FILE_FORMAT_PARQUET",
  "FORMAT_UNSPECIFIED",
  "no_format",
];

/** Creates artifacts with random combinations of the properties that determine how TFX reads them. */
export function randomExamples(random: Random, count: number): readonly ArtifactInput[] {
  const oneOf = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
  return Array.from({ length: count }, (_, number) => {
    const payload = PAYLOADS[number % PAYLOADS.length];
    const fileFormat =
      payload === "FORMAT_PARQUET" && random(6) > 0 ? "FILE_FORMAT_PARQUET" : oneOf(FILE_FORMATS);
    const patterns = { train: `part-${number}/*.gz`, eval: "e*" };
    const customProperties: Properties = {
      tfx_version: oneOf(["1.21.0", "0.29.0"]),
      ...(payload === undefined ? {} : { payload_format: payload }),
      ...(fileFormat === undefined ? {} : { file_format: fileFormat }),
      ...viewOf(random),
      ...(random(8) === 0 ? { custom_split_pattern: JSON.stringify(patterns) } : {}),
    };
    const splitNames = random(12) === 0 ? ["train"] : SPLITS;
    return {
      type: "Examples",
      uri: `/pipeline/examples/${number}${random(4) === 0 ? "/" : ""}`,
      state: "LIVE",
      properties: { split_names: JSON.stringify(splitNames), span: BigInt(number) },
      customProperties,
    };
  });
}

/**
 * Returns the properties that bind an artifact to a data view; in some cases none. The views' creation times have different
 * numbers of digits, and may be equal or missing. They are text or, as in older stores, integers.
 */
function viewOf(random: Random): Properties {
  const time = [9, 10, 1000, 1000][random(4)] as number;
  const uri = `/views/${random(5)}`;
  const choices: readonly Properties[] = [
    { data_view_uri: uri, data_view_create_time_since_epoch: String(time) },
    { data_view_uri: uri, data_view_create_time_since_epoch: String(time) },
    { data_view_uri: uri, data_view_create_time_since_epoch: BigInt(time) },
    { data_view_uri: uri },
    { data_view_uri: "" },
    {},
  ];
  return choices[Math.max(0, random(24) - 18)] as Properties;
}

/** Creates cases of one to three artifacts. In most cases, the artifacts have the same payload format. */
export function randomCases(
  random: Random,
  examples: readonly { readonly id: number; readonly payload: string | undefined }[],
  count: number,
): readonly TfxCase[] {
  return Array.from({ length: count }, () => {
    const first = examples[random(examples.length)] as (typeof examples)[number];
    const alike = random(8) === 0 ? examples : examples.filter(({ payload }) => payload === first.payload);
    const others = Array.from({ length: random(3) }, () => (alike[random(alike.length)] ?? first).id);
    return {
      ids: [first.id, ...others],
      split: random(12) === 0 ? "test" : (SPLITS[random(2)] as string),
      readAsRaw: random(5) === 0,
      rawColumn: random(3) === 0 ? "raw" : null,
    };
  });
}
