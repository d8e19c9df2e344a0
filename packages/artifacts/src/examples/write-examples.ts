import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { WritableData, WriteTfxioOptions } from "@tfxio/io";
import {
  aFunction,
  anObject,
  aPositiveInteger,
  assertArgument,
  assertOptions,
  invalidArgument,
  oneOf,
  required,
  unusableArgument,
} from "@tfxio/wire/checks";
import type { Component, OutputArtifact } from "../runner/component.js";
import { EXAMPLES_TYPE } from "./artifact-types.js";
import { examplesInput, splitUri } from "./examples-input.js";
import { isSplitName } from "./examples-of.js";
import type { PayloadFormat } from "./formats.js";

/** Options of {@link examplesWriter}. */
export interface ExamplesWriterOptions {
  /** For each split name, a function that returns the data of the split. It is called only if the component runs. */
  readonly splits: Readonly<Record<string, () => WritableData | Promise<WritableData>>>;
  /** Default "FORMAT_TF_EXAMPLE". "FORMAT_PROTO" requires that `write.format` is a format that writes protobuf records. */
  readonly payloadFormat?: PayloadFormat;
  /** Number of files per split. Default 1. */
  readonly numShards?: number;
  /** Options of `writeTfxio`, such as `schema`, or `format` and `formatOptions` for protobuf records. */
  readonly write?: Omit<WriteTfxioOptions, "numShards" | "shardBytes">;
}

const FORMATS: Readonly<Partial<Record<PayloadFormat, string>>> = {
  FORMAT_TF_EXAMPLE: "tfrecord",
  FORMAT_TF_SEQUENCE_EXAMPLE: "sequence-tfrecord",
  FORMAT_PARQUET: "parquet",
};

/**
 * Creates a component that writes splits in TFX's layout, with files such as
 * `Split-train/data_tfrecord-00000-of-00001.gz`. The parameters `span` and `version`, if given, become properties of the
 * output `examples`. Runs do not compare the data itself: they reuse earlier outputs if the parameters, formats, split names
 * and `numShards` are equal. Therefore pass a parameter that changes with the data, such as `span`. Without parameters, every
 * run writes the data again.
 * @throws {ArgumentError} `invalid-argument` for an invalid option or split name.
 */
export function examplesWriter(options: ExamplesWriterOptions): Component {
  assertOptions("examplesWriter", options, {
    splits: required(anObject),
    payloadFormat: oneOf(...Object.keys(FORMATS), "FORMAT_PROTO"),
    numShards: aPositiveInteger,
    write: anObject,
  });
  const { splits, payloadFormat = "FORMAT_TF_EXAMPLE", numShards = 1, write = {} } = options;
  const splitNames = Object.keys(splits);
  const wrong = splitNames.find((name) => !isSplitName(name));
  if (wrong !== undefined) {
    throw unusableArgument(
      "splits",
      `must have keys that are non-empty names without slashes, found ${JSON.stringify(wrong)}`,
    );
  }
  for (const [name, data] of Object.entries(splits)) assertArgument(`splits.${name}`, data, aFunction);
  const format = write.format ?? FORMATS[payloadFormat];
  if (format === undefined)
    throw invalidArgument("write.format", "a format that writes protobuf records", format);
  const formatId = typeof format === "string" ? format : format.id;
  return {
    type: "ExamplesWriter",
    inputs: {},
    outputs: { examples: EXAMPLES_TYPE },
    // Without parameters, nothing shows whether the data has changed, so every run gets a new key.
    contentKey: (parameters) =>
      Object.keys(parameters).length === 0
        ? randomUUID()
        : JSON.stringify([payloadFormat, formatId, splitNames, numShards]),
    run: async ({ outputs, parameters, signal }) => {
      const { writeTfxio } = await import("@tfxio/io");
      const uri = outputs["examples"]?.uri ?? "";
      const file = payloadFormat === "FORMAT_PARQUET" ? "data_parquet.parquet" : "data_tfrecord.gz";
      for (const [name, data] of Object.entries(splits)) {
        const folder = splitUri(uri, name);
        await mkdir(folder, { recursive: true });
        await writeTfxio(await data(), path.join(folder, file), {
          ...compressed(payloadFormat),
          ...write,
          format,
          numShards,
          signal: write.signal ?? signal,
        });
      }
      return { examples: examplesOutput(uri, splitNames, payloadFormat, parameters) };
    },
  };
}

function compressed(payloadFormat: PayloadFormat): WriteTfxioOptions {
  return payloadFormat === "FORMAT_PARQUET" ? {} : { formatOptions: { compression: "gzip" } };
}

function examplesOutput(
  uri: string,
  splitNames: readonly string[],
  payloadFormat: PayloadFormat,
  { span, version }: Readonly<Record<string, unknown>>,
): OutputArtifact {
  const { properties = {}, customProperties = {} } = examplesInput("examplesWriter", {
    uri,
    splitNames,
    payloadFormat,
    ...(span === undefined ? {} : { span: Number(span) }),
    ...(version === undefined ? {} : { version: Number(version) }),
  });
  return { properties, customProperties };
}
