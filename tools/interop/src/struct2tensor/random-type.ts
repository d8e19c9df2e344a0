import type { Random } from "@tfxio/wire";

/** Scalar types, by their names in `.proto` files. */
export const scalarTypes = [
  "double",
  "float",
  "int64",
  "uint64",
  "int32",
  "fixed64",
  "fixed32",
  "bool",
  "string",
  "bytes",
  "uint32",
  "enum",
  "sfixed32",
  "sfixed64",
  "sint32",
  "sint64",
] as const;

/** Name of a scalar type. `enum` stands for the enum type `Color`. */
export type ScalarType = (typeof scalarTypes)[number];

/** A field of a random message type. */
export interface FieldShape {
  readonly name: string;
  readonly number: number;
  readonly type: ScalarType | MessageShape;
  readonly isRepeated: boolean;
  /** True if the field extends the root. The path of an extension named `x` is `(fuzz.x)`. */
  readonly isExtension: boolean;
}

/** A random message type. */
export interface MessageShape {
  /** The name without the package and, for a map entry, without the enclosing message. */
  readonly name: string;
  readonly kind: "message" | "mapEntry" | "any";
  readonly fields: readonly FieldShape[];
}

const NAMES = ["a", "b", "c", "d", "e"];
const MAP_KEYS: readonly ScalarType[] = ["string", "int32", "int64", "uint32", "uint64", "bool"];
const MAX_DEPTH = 3;
const FIRST_EXTENSION = 1000;

/** A message type that every `google.protobuf.Any` in a random message may contain. */
export const anyContent: MessageShape = {
  name: "Held",
  kind: "message",
  fields: [
    { name: "label", number: 1, type: "string", isRepeated: false, isExtension: false },
    { name: "n", number: 2, type: "int64", isRepeated: true, isExtension: false },
  ],
};

/** The message type `google.protobuf.Any`. */
export const anyMessage: MessageShape = {
  name: "Any",
  kind: "any",
  fields: [
    { name: "type_url", number: 1, type: "string", isRepeated: false, isExtension: false },
    { name: "value", number: 2, type: "bytes", isRepeated: false, isExtension: false },
  ],
};

/**
 * Creates a random message type, usually of at most four levels; maps may nest deeper. It may have fields of all types, maps,
 * Anys, and root extensions.
 */
export function randomType(random: Random): MessageShape {
  const { fields, ...root } = randomMessage(random, "Root", 0);
  const extensions = Array.from(
    { length: random.below(3) },
    (_, index): FieldShape => ({
      name: `x${index}`,
      number: FIRST_EXTENSION + index,
      type: random.below(2) === 0 ? pick(random, scalarTypes) : anyContent,
      isRepeated: random.below(2) === 0,
      isExtension: true,
    }),
  );
  return { ...root, fields: [...fields, ...extensions] };
}

function randomMessage(random: Random, name: string, depth: number): MessageShape {
  const names = NAMES.slice(0, 2 + random.below(4));
  const fields = names.map((field, index): FieldShape => {
    const common = { name: field, number: index + 1, isExtension: false };
    const type = randomFieldType(random, name, field, depth);
    const isMap = typeof type === "object" && type.kind === "mapEntry";
    return { ...common, type, isRepeated: isMap || random.below(2) === 0 };
  });
  return { name, kind: "message", fields };
}

function randomFieldType(random: Random, parent: string, field: string, depth: number): FieldShape["type"] {
  const drawn = random.below(10);
  const name = `${parent}_${field}`;
  // protoc names the type of a map's entries after the field, in CamelCase with the suffix `Entry`. Readers of descriptors check
  // that name.
  if (drawn === 0) return mapEntry(random, { name: `${field.toUpperCase()}Entry`, value: name }, depth);
  if (drawn === 1) return anyMessage;
  const isMessage = depth < MAX_DEPTH && drawn < 6 - depth;
  return isMessage ? randomMessage(random, name, depth + 1) : pick(random, scalarTypes);
}

function mapEntry(
  random: Random,
  names: { readonly name: string; readonly value: string },
  depth: number,
): MessageShape {
  const value =
    random.below(3) > 0 ? pick(random, scalarTypes) : randomMessage(random, names.value, depth + 1);
  const common = { isRepeated: false, isExtension: false };
  return {
    name: names.name,
    kind: "mapEntry",
    fields: [
      { name: "key", number: 1, type: pick(random, MAP_KEYS), ...common },
      { name: "value", number: 2, type: value, ...common },
    ],
  };
}

/** Returns a random element of `items`, which must not be empty. */
export function pick<T>(random: Random, items: readonly T[]): T {
  return items[random.below(items.length)]!;
}
