import type { Artifact, Properties, PropertyValue } from "@tfxio/artifacts";

/** Returns an artifact in the form that `--json` writes. Times are in ISO 8601, in UTC. Members without a value are omitted. */
export function artifactJson({ createTimeMs, lastUpdateTimeMs, ...artifact }: Artifact): object {
  const { id, type, typeVersion, name, externalId, state, uri } = artifact;
  return {
    id,
    type,
    typeVersion,
    name,
    externalId,
    state,
    uri,
    createTime: new Date(createTimeMs).toISOString(),
    lastUpdateTime: new Date(lastUpdateTimeMs).toISOString(),
    properties: propertiesJson(artifact.properties),
    customProperties: propertiesJson(artifact.customProperties),
  };
}

/** Formats a property value for people. Text stays unchanged; other values become JSON. */
export function propertyText(value: PropertyValue): string {
  const json = propertyJson(value);
  return typeof json === "string" ? json : JSON.stringify(json);
}

function propertiesJson(properties: Properties): object {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, propertyJson(value)]));
}

/**
 * Converts a property value to JSON. Integers that are not safe integers become text, as in `tfxio cat`. The bytes of a protobuf
 * message become base64.
 */
function propertyJson(value: PropertyValue): unknown {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (typeof value !== "object" || "struct" in value) return value;
  const { typeUrl, value: bytes } = value.proto;
  return { proto: { typeUrl, base64: Buffer.from(bytes).toString("base64") } };
}
