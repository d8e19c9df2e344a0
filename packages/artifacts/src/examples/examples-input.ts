import {
  aListOf,
  anInteger,
  aName,
  assertArgument,
  assertOptions,
  oneOf,
  required,
  type Rule,
  rule,
} from "@tfxio/wire/checks";
import type { ArtifactInput } from "../store/entities.js";
import type { ArtifactState } from "../store/names.js";
import { isSplitName } from "./examples-of.js";
import { FILE_FORMATS, type FileFormat, PAYLOAD_FORMATS, type PayloadFormat } from "./formats.js";

/** Describes existing data, to be published as Examples. */
export interface ExamplesDescription {
  /** URI of a folder that contains a folder `Split-<name>` per split. */
  readonly uri: string;
  readonly splitNames: readonly string[];
  /** Position in a stream of data sets, an integer of at least 0. Default: not set. */
  readonly span?: number | undefined;
  /** Version of the span, an integer of at least 0. Default: not set. */
  readonly version?: number | undefined;
  /** Default "FORMAT_TF_EXAMPLE". */
  readonly payloadFormat?: PayloadFormat | undefined;
  /** Default: "FILE_FORMAT_PARQUET" for a Parquet payload, otherwise "FORMAT_TFRECORDS_GZIP". */
  readonly fileFormat?: FileFormat | undefined;
  /** Default "LIVE". */
  readonly state?: ArtifactState | undefined;
  /** Name of the artifact, unique among Examples. Default: not set. */
  readonly name?: string | undefined;
}

/**
 * Value of the custom property `tfx_version`: the TFX version whose layout we write. Without this property, TFX expects split
 * folders without the prefix `Split-`.
 */
const TFX_VERSION = "1.21.0";

const aSplitName: Rule = rule(
  "a non-empty name without slashes",
  (value) => typeof value === "string" && isSplitName(value),
);
const aListOfSplitNames: Rule = aListOf("a list of non-empty names without slashes", aSplitName);

/**
 * Returns an artifact of type Examples to pass to `artifacts.put`, with the properties that TFX writes.
 * @param owner Name of the function that received the description, for error messages.
 * @throws {ArgumentError} `invalid-argument` if a required member is missing or a member is invalid. `artifacts.put` checks
 * `state`.
 */
export function examplesInput(owner: string, description: ExamplesDescription): ArtifactInput {
  assertOptions(owner, description, {
    uri: required(aName),
    splitNames: required(aListOfSplitNames),
    span: anInteger(0),
    version: anInteger(0),
    payloadFormat: oneOf(...Object.keys(PAYLOAD_FORMATS)),
    fileFormat: oneOf(...Object.keys(FILE_FORMATS)),
    state: null,
    name: aName,
  });
  const {
    uri,
    splitNames,
    span,
    version,
    payloadFormat = "FORMAT_TF_EXAMPLE",
    state = "LIVE",
    name,
  } = description;
  const {
    fileFormat = payloadFormat === "FORMAT_PARQUET" ? "FILE_FORMAT_PARQUET" : "FORMAT_TFRECORDS_GZIP",
  } = description;
  assertArgument(
    "splitNames",
    splitNames,
    rule("distinct names", () => new Set(splitNames).size === splitNames.length),
  );
  return {
    type: "Examples",
    uri,
    state,
    ...(name === undefined ? {} : { name }),
    properties: {
      ...(span === undefined ? {} : { span: BigInt(span) }),
      ...(version === undefined ? {} : { version: BigInt(version) }),
      split_names: JSON.stringify(splitNames),
    },
    customProperties: { payload_format: payloadFormat, file_format: fileFormat, tfx_version: TFX_VERSION },
  };
}

/** Returns the URI of a split's folder, named as in TFX: `Split-<name>` below the artifact's URI. */
export function splitUri(uri: string, splitName: string): string {
  return `${uri.replace(/\/+$/u, "")}/Split-${splitName}`;
}
