import { ArgumentError, RecordError } from "@tfxio/wire/errors";
import type { Artifact } from "../store/entities.js";
import type { PropertyValue } from "../store/values/property-value.js";

/** Name of the custom property that holds the digest of a DataView, on the view itself and on Examples bound to it. */
export const DATA_VIEW_DIGEST = "data_view_digest";

/** The properties of an artifact of type Examples. */
export interface Examples {
  readonly artifact: Artifact;
  readonly uri: string;
  /** Position in a stream of data sets; undefined when not set. */
  readonly span: bigint | undefined;
  readonly version: bigint | undefined;
  /** Names of the splits; `[]` when not set. */
  readonly splitNames: readonly string[];
  /**
   * File pattern of each split, relative to `uri`. Undefined for the usual layout, which has one folder `Split-<name>` per
   * split.
   */
  readonly splitPatterns: Readonly<Record<string, string>> | undefined;
  /** Name of the payload format, as stored; undefined if the property is missing. */
  readonly payloadFormat: string | undefined;
  /** Name of the file format, as stored; undefined if the property is missing. */
  readonly fileFormat: string | undefined;
  /** URI of the bound DataView; undefined when no view is bound. */
  readonly dataViewUri: string | undefined;
  /** Creation time of the DataView, in milliseconds since 1970; undefined if the property is missing. */
  readonly dataViewCreateTimeMs: bigint | undefined;
  /**
   * SHA-256 of the DataView's content when the view was created, in hexadecimal. Undefined if the property is empty or
   * missing. Artifacts written by TFX lack it.
   */
  readonly dataViewDigest: string | undefined;
  /** URIs in `gc_context`: what the artifact needs besides its own URI. `[]` if the property is missing. */
  readonly neededUris: readonly string[];
}

/**
 * Reads the properties of an artifact of type Examples, written by this package or by TFX.
 * @throws {ArgumentError} `invalid-argument` (`not-examples`) for another type.
 * @throws {RecordError} `corrupt-record` (`artifact-property`) for properties with invalid values.
 */
export function examplesOf(artifact: Artifact): Examples {
  if (artifact.type !== "Examples") {
    throw new ArgumentError(
      "invalid-argument",
      `Artifact ${artifact.id} must be of type Examples, found ${artifact.type || "no type"}.`,
      { argument: "artifact", reason: "not-examples" },
    );
  }
  const { properties, customProperties } = artifact;
  const time = property(customProperties, "data_view_create_time_since_epoch");
  return {
    artifact,
    uri: artifact.uri,
    span: integer(artifact, "span", property(properties, "span")),
    version: integer(artifact, "version", property(properties, "version")),
    splitNames: splitNamesOf(artifact, property(properties, "split_names")),
    splitPatterns: splitPatternsOf(artifact),
    payloadFormat: text(artifact, "payload_format"),
    // The TFXIO RFC calls this property container_format, but TFX writes file_format.
    fileFormat: text(artifact, "file_format") ?? text(artifact, "container_format"),
    // Empty text means that no view is bound.
    dataViewUri: text(artifact, "data_view_uri") || undefined,
    // Older stores hold the time as an integer instead of text.
    dataViewCreateTimeMs: integer(artifact, "data_view_create_time_since_epoch", time),
    dataViewDigest: text(artifact, DATA_VIEW_DIGEST) || undefined,
    neededUris: gcContextOf(artifact),
  };
}

/**
 * Returns the URIs in the custom property `gc_context` of an artifact of any type; `[]` when the property is missing.
 * @throws {RecordError} `corrupt-record` (`artifact-property`) if it is not JSON of the form `{"v":1,"uris":[…]}`.
 */
export function gcContextOf(artifact: Artifact): readonly string[] {
  const context = text(artifact, "gc_context");
  if (context === undefined) return [];
  const { v, uris } = Object(parsed(context)) as { readonly v?: unknown; readonly uris?: unknown };
  if (v === 1 && isListOfText(uris)) return uris;
  throw corrupt(artifact, "gc_context", `{"v":1,"uris":[…]}`, context);
}

/**
 * Returns the text of a custom property; undefined when the property is missing.
 * @throws {RecordError} `corrupt-record` (`artifact-property`) if its value is not text.
 */
export function text(artifact: Artifact, name: string): string | undefined {
  const value = property(artifact.customProperties, name);
  if (value === undefined || typeof value === "string") return value;
  throw corrupt(artifact, name, "text", String(value));
}

function property(properties: Artifact["properties"], name: string): PropertyValue | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function integer(artifact: Artifact, name: string, value: PropertyValue | undefined): bigint | undefined {
  if (value === undefined || typeof value === "bigint") return value;
  if (typeof value === "string" && /^-?\d{1,19}$/u.test(value)) return BigInt(value);
  throw corrupt(artifact, name, "an integer", String(value));
}

function splitNamesOf(artifact: Artifact, value: PropertyValue | undefined): readonly string[] {
  if (value === undefined || value === "") return [];
  const names = typeof value === "string" ? parsed(value) : undefined;
  if (isListOfText(names) && names.every(isSplitName)) return names;
  throw corrupt(artifact, "split_names", "a JSON list of non-empty names without slashes", String(value));
}

/**
 * Returns the file pattern of each split, or undefined if the artifact has no custom patterns.
 * @see `CUSTOM_SPLIT_PATTERN_PROPERTY_NAME` in `examples_utils.py` of TFX
 */
function splitPatternsOf(artifact: Artifact): Readonly<Record<string, string>> | undefined {
  const json = text(artifact, "custom_split_pattern");
  if (json === undefined) return undefined;
  const patterns = parsed(json);
  const isObject = typeof patterns === "object" && patterns !== null && !Array.isArray(patterns);
  if (isObject && Object.values(patterns).every(isPatternBelow)) return patterns as Record<string, string>;
  throw corrupt(
    artifact,
    "custom_split_pattern",
    "a JSON object of file patterns below the artifact's URI",
    json,
  );
}

/** True for a pattern that cannot lead out of the artifact's folder, not even through alternatives such as `{a,..}`. */
function isPatternBelow(value: unknown): boolean {
  return typeof value === "string" && value !== "" && !/^\/|\.\.|[\\\0]/u.test(value);
}

/** True for a non-empty split name that stays inside the artifact's folder when it becomes part of a path. */
export function isSplitName(name: string): boolean {
  return name !== "" && !/[/\\\0]/u.test(name);
}

function isListOfText(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function corrupt({ id, uri }: Artifact, name: string, expected: string, found: string): RecordError {
  return new RecordError(
    "corrupt-record",
    `Property ${name} of artifact ${id} must be ${expected}, found ${found}.`,
    {
      uri,
      reason: "artifact-property",
    },
  );
}
