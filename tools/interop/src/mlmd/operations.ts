import type { Random } from "../seeded.js";

/** The fields of a message as proto JSON, with the field names of the proto. */
export type Fields = Readonly<Record<string, unknown>>;

/** A call of the metadata store. `applyOperations` performs it on our store, and `mlmd_peer.py apply` with the client. */
export type Operation =
  | {
      readonly op: "type";
      readonly kind: Kind;
      readonly type: Fields;
      readonly canAdd: boolean;
      readonly canOmit: boolean;
    }
  | { readonly op: "nodes"; readonly kind: Kind; readonly nodes: readonly Fields[] }
  | { readonly op: "event"; readonly event: Fields }
  | {
      readonly op: "links";
      readonly attributions: readonly Fields[];
      readonly associations: readonly Fields[];
    }
  | { readonly op: "parent"; readonly parent: Fields };
export type Kind = "artifact" | "execution" | "context";

const KINDS: readonly Kind[] = ["artifact", "execution", "context"];
const PROPERTY_TYPES = ["INT", "DOUBLE", "STRING", "STRUCT", "PROTO", "BOOLEAN"] as const;
const BASE_TYPES = {
  artifact: ["DATASET", "MODEL", "METRICS", "STATISTICS"],
  execution: ["TRAIN", "TRANSFORM", "PROCESS", "EVALUATE", "DEPLOY"],
  context: [],
} as const;
const STATES = {
  artifact: ["UNKNOWN", "PENDING", "LIVE", "MARKED_FOR_DELETION", "DELETED", "ABANDONED", "REFERENCE"],
  execution: ["UNKNOWN", "NEW", "RUNNING", "COMPLETE", "FAILED", "CACHED", "CANCELED"],
  context: [],
} as const;
const EVENT_TYPES = [
  "DECLARED_OUTPUT",
  "DECLARED_INPUT",
  "INPUT",
  "OUTPUT",
  "INTERNAL_INPUT",
  "INTERNAL_OUTPUT",
  "PENDING_OUTPUT",
];
const TEXTS = ["", "a", "it's", '"q"', "line\nbreak", "日本", "a%b_c", "-- ;", "\\", "null"];

/**
 * Returns `count` random calls, some of them invalid. They refer to only a few types and nodes, so that most references are to
 * existing ones.
 * @param prefix Prefix of type names, node names and external ids. Several histories in one store need different prefixes.
 */
export function randomOperations(random: Random, count: number, prefix: string): Operation[] {
  const types: Record<
    Kind,
    { readonly name: string; readonly properties: Record<string, (typeof PROPERTY_TYPES)[number]> }[]
  > = {
    artifact: [],
    execution: [],
    context: [],
  };
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
  const some = <Item>(make: () => Item, most: number): Item[] =>
    Array.from({ length: random(most + 1) }, make);
  const value = (type: (typeof PROPERTY_TYPES)[number]): Fields => {
    switch (type) {
      case "INT":
        return { int_value: pick(["0", "1", "-1", "7", "9223372036854775807", "-9223372036854775808"]) };
      case "DOUBLE":
        // The values are multiples of 1/4, because ML Metadata's client keeps only six decimal places.
        return { double_value: (random(8000) - 4000) / 4 };
      case "STRING":
        return { string_value: pick(TEXTS) };
      case "STRUCT":
        return { struct_value: pick([{}, { k: [1, "a", true, null] }, { o: { p: 1.5 } }]) };
      case "PROTO":
        return { proto_value: { typeUrl: "type.googleapis.com/x.Y", valueB64: pick(["", "CAE="]) } };
      case "BOOLEAN":
        return { bool_value: random(2) === 1 };
    }
  };
  const id = (): string => String(1 + random(9));
  const putType = (): Operation => {
    const kind = pick(KINDS);
    const known = types[kind];
    const isNew = known.length < 2 || random(4) === 0;
    const type = isNew ? { name: `${prefix}${kind}${known.length}`, properties: {} } : pick(known);
    if (isNew) known.push(type);
    const properties = { ...type.properties };
    for (const field of some(() => `p${random(4)}`, 3)) properties[field] ??= pick(PROPERTY_TYPES);
    const [canAdd, canOmit] = [random(2) === 1, random(2) === 1];
    // Only a call that creates the type, or that may add properties, changes the type's properties.
    if (isNew || canAdd) Object.assign(type.properties, properties);
    const base = BASE_TYPES[kind][known.indexOf(type)];
    return {
      op: "type",
      kind,
      type: { name: type.name, properties, ...(base !== undefined && isNew ? { base_type: base } : {}) },
      canAdd,
      canOmit,
    };
  };
  let named = 0;
  const node = (kind: Kind): Fields => {
    const index = random(Math.max(types[kind].length, 1));
    const type = types[kind][index];
    const state = { artifact: "state", execution: "last_known_state", context: "" }[kind];
    named += 1;
    const isUpdate = kind !== "context" && random(3) === 0;
    return {
      ...(isUpdate ? { id: id() } : { type: type?.name ?? "Nothing" }),
      ...(!isUpdate && (kind === "context" || random(2) === 0)
        ? { name: `${prefix}${random(8) === 0 ? 1 : named}` }
        : {}),
      ...(kind === "artifact" && random(3) > 0 ? { uri: `/data/${random(4)}` } : {}),
      ...(state !== "" && random(3) > 0 ? { [state]: pick(STATES[kind]) } : {}),
      ...(random(6) === 0 ? { external_id: `${prefix}x${named}` } : {}),
      properties: Object.fromEntries(
        Object.entries(type?.properties ?? {})
          .filter(() => random(3) > 0)
          .map(([name, propertyType]) => [
            name,
            value(random(12) === 0 ? pick(PROPERTY_TYPES) : propertyType),
          ]),
      ),
      custom_properties: Object.fromEntries(
        some(() => [pick(["c", "ключ", "a b", "x'y"]), value(pick(PROPERTY_TYPES))], 3),
      ),
    };
  };
  const putNodes = (): Operation => {
    const kind = pick(KINDS);
    return { op: "nodes", kind, nodes: Array.from({ length: 1 + random(2) }, () => node(kind)) };
  };
  const putEvent = (): Operation => ({
    op: "event",
    event: {
      artifact_id: id(),
      execution_id: id(),
      type: pick(EVENT_TYPES),
      milliseconds_since_epoch: String(1000 + random(9)),
      path: { steps: some(() => (random(2) === 0 ? { key: pick(TEXTS) } : { index: String(random(3)) }), 3) },
    },
  });
  const putLinks = (): Operation => ({
    op: "links",
    attributions: some(() => ({ artifact_id: id(), context_id: id() }), 2),
    associations: some(() => ({ execution_id: id(), context_id: id() }), 2),
  });
  const putParent = (): Operation => ({ op: "parent", parent: { child_id: id(), parent_id: id() } });
  const makers = [putNodes, putNodes, putNodes, putEvent, putEvent, putLinks, putParent, putType];
  return Array.from({ length: count }, (_, index) => (index < 8 ? putType() : pick(makers)()));
}
