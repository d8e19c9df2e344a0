import type { Registry } from "@bufbuild/protobuf";
import type { ColumnPath } from "@tfxio/schema";
import { parseMapKey } from "./map-key.js";
import { type FieldShape, fieldShape, type MessageShape, messageShape } from "./message-shape.js";
import type { SelectedField } from "./selection.js";

/** Name of the type whose values can be cast. */
const ANY_TYPE = "google.protobuf.Any";

/** Captures the name of the map and the key in `map[key]`. */
const KEYED_STEP = /^([^[(]+)\[([^\]]*)\]$/su;
/** Captures the full name in `(full.Name)` or `(prefix/full.Name)`. */
const NAMED_STEP = /^\((?:.*\/)?([^()/]+)\)$/su;

/**
 * Resolves a step of a path to a field, map key, extension or cast. Returns undefined if there is no match.
 * @param path the path up to this step, for error messages.
 * @throws {ArgumentError} `invalid-argument` (`map-key`) for a key that does not fit the key type of the map.
 */
export function findStep(
  type: MessageShape,
  step: string,
  path: ColumnPath,
  registry: Registry,
): SelectedField | undefined {
  const field = type.fields().find(({ name }) => name === step);
  if (field !== undefined) return { name: step, field, kind: "field" };
  const [, mapName, keyText] = KEYED_STEP.exec(step) ?? [];
  if (mapName !== undefined && keyText !== undefined) {
    const map = type.fields().find(({ name, mapKey }) => name === mapName && mapKey !== undefined);
    if (map === undefined) return undefined;
    return { name: step, field: map, kind: "key", key: parseMapKey(keyText, map.mapKey!, `${path}`) };
  }
  const [, fullName] = NAMED_STEP.exec(step) ?? [];
  if (fullName === undefined) return undefined;
  if (type.typeName === ANY_TYPE) {
    const message = registry.getMessage(fullName);
    return message && { name: step, field: castField(step, messageShape(message)), kind: "cast" };
  }
  const extension = registry.getExtension(fullName);
  if (extension?.extendee.typeName !== type.typeName) return undefined;
  return { name: step, field: fieldShape(extension, step), kind: "field" };
}

/** Creates a field for the column of a cast. No field of the descriptor corresponds to it, so its number is 0. */
function castField(name: string, message: MessageShape): FieldShape {
  return {
    name,
    number: 0,
    isRepeated: false,
    isPacked: false,
    isImplicit: false,
    oneof: undefined,
    mapKey: undefined,
    value: { kind: "message", message, isGroup: false },
  };
}
