import type { Registry } from "@bufbuild/protobuf";
import type { ColumnPath } from "@tfxio/schema";
import { parseMapKey } from "./map-key.js";
import { type FieldShape, fieldShape, type MessageShape, messageShape } from "./message-shape.js";
import type { SelectedField } from "./selection.js";

/** Name of the type whose values can be cast. */
const ANY_TYPE = "google.protobuf.Any";

const KEYED_STEP = /^([^[(]+)\[([^\]]*)\]$/su;
const NAMED_STEP = /^\((?:.*\/)?([^()/]+)\)$/su;

/**
 * Resolves a step of a path to a field, map key, extension or cast; undefined if the message has none.
 * @param path For errors.
 * @throws {ArgumentError} `invalid-argument` (`map-key`).
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

/** A synthetic field for the column of a cast. */
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
