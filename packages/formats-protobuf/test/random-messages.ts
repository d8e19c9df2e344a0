import { ProtoWriter, WireType } from "@tfxio/wire";

// Random messages of a fixed type: their fields on the wire, their bytes, and their content according to a simple parser. The
// parser knows neither columns nor bytes. It processes the fields one by one, in wire order.

/** The type of the messages. */
export const FUZZED = `
  syntax = "proto2";
  package fuzz;
  message Inner { optional sint32 z = 1; repeated string s = 2; optional Inner inner = 3; repeated fixed64 x = 4 [packed = true]; }
  message Outer {
    optional int64 i = 1;
    repeated int32 r = 2;
    optional Inner one = 3;
    repeated Inner many = 4;
    oneof o { string text = 5; Inner node = 6; bool flag = 7; }
    optional group Grp = 8 { optional float f = 1; repeated Inner in = 2; }
    map<string, Inner> m = 9;
    optional string name = 2000;
  }
`;

/** Columns of {@link FUZZED}. The recursive type ends at its second level. */
export const FUZZED_COLUMNS: readonly string[] = [
  "i",
  "r",
  ...["one", "many", "node"].flatMap((path) =>
    ["z", "s", "x", "inner.z", "inner.s"].map((leaf) => `${path}.${leaf}`),
  ),
  "text",
  "flag",
  "grp.f",
  "grp.in.z",
  "m.key",
  "m.value.s",
  "name",
  "m[a].s",
  "m[b].z",
];

type Kind = "varint" | "zigzag" | "fixed64" | "float" | "text" | "message" | "group";

interface FieldSpec {
  readonly name: string;
  readonly kind: Kind;
  readonly repeated?: boolean;
  readonly oneof?: boolean;
  /** Type of a varint that is not a 64-bit integer. */
  readonly as?: "int32" | "bool";
  readonly fields?: () => Spec;
  readonly map?: boolean;
}

type Spec = Readonly<Record<number, FieldSpec>>;

const inner = (depth: number): Spec => ({
  1: { name: "z", kind: "zigzag" },
  2: { name: "s", kind: "text", repeated: true },
  ...(depth > 0 && { 3: { name: "inner", kind: "message", fields: () => inner(depth - 1) } }),
  4: { name: "x", kind: "fixed64", repeated: true },
});

const entry: Spec = {
  1: { name: "key", kind: "text" },
  2: { name: "value", kind: "message", fields: () => inner(0) },
};

const outer: Spec = {
  1: { name: "i", kind: "varint" },
  2: { name: "r", kind: "varint", as: "int32", repeated: true },
  3: { name: "one", kind: "message", fields: () => inner(1) },
  4: { name: "many", kind: "message", repeated: true, fields: () => inner(1) },
  5: { name: "text", kind: "text", oneof: true },
  6: { name: "node", kind: "message", oneof: true, fields: () => inner(1) },
  7: { name: "flag", kind: "varint", as: "bool", oneof: true },
  8: {
    name: "grp",
    kind: "group",
    fields: () => ({
      1: { name: "f", kind: "float" },
      2: { name: "in", kind: "message", repeated: true, fields: () => inner(0) },
    }),
  },
  9: { name: "m", kind: "message", repeated: true, map: true, fields: () => entry },
  2000: { name: "name", kind: "text" },
};

/** A field on the wire. `values` are packed, and `junk` marks an unknown field or a wrong wire type. */
type Event =
  | { readonly number: number; readonly value: bigint | number | string | readonly Event[] }
  | { readonly number: number; readonly values: readonly bigint[] }
  | { readonly number: number; readonly junk: "varint" | "fixed32" | "text" | "group" };

/** The bytes of a record, and its expected row. */
export interface RandomRecord {
  readonly bytes: Uint8Array;
  readonly row: object;
}

/** Returns a random integer below `bound`. */
export type Random = (bound: number) => number;

/** Draws a record of {@link FUZZED}. */
export function randomRecord(random: Random): RandomRecord {
  const events = randomEvents(outer, random, 3);
  const row: Record<string, unknown> = withoutDeep(valueOf(outer, events));
  Object.assign(row, keyed(row, "a", "s"), keyed(row, "b", "z"));
  if (row["m"] !== undefined) {
    row["m"] = (row["m"] as readonly Entry[]).map(({ key, value: [value] }) => ({
      key,
      value: [only(value, "s")],
    }));
  }
  return { bytes: bytesOf(outer, events), row };
}

interface Entry {
  readonly key: readonly string[];
  readonly value: readonly [Readonly<Record<string, unknown>>];
}

function randomEvents(spec: Spec, random: Random, size: number): readonly Event[] {
  const numbers = Object.keys(spec).map(Number);
  return Array.from({ length: random(size * 4) }, () => {
    const number = numbers[random(numbers.length)]!;
    const field = spec[number]!;
    if (random(10) === 0) {
      const junk = (["varint", "fixed32", "text", "group"] as const)[random(4)]!;
      return { number: 3000 + random(3), junk };
    }
    if (random(12) === 0) return { number, junk: mismatch(field.kind) };
    const isPackable = field.kind === "fixed64" || field.kind === "varint";
    if (isPackable && random(3) === 0) {
      return { number, values: Array.from({ length: random(4) }, () => integer(random)) };
    }
    return { number, value: randomValue(field, random, size) };
  });
}

/** Returns a wire type that the field does not have. */
function mismatch(kind: Kind): "varint" | "fixed32" {
  return kind === "float" || kind === "varint" || kind === "zigzag"
    ? kind === "float"
      ? "varint"
      : "fixed32"
    : "varint";
}

function randomValue({ kind, fields }: FieldSpec, random: Random, size: number) {
  if (fields !== undefined) return randomEvents(fields(), random, Math.max(1, size - 1));
  if (kind === "text") return ["a", "b", "", "cdefghijklmnopqrstuvwxyzcdefghijklmnopqrstuvwxyz"][random(4)]!;
  return kind === "float" ? random(9) / 4 : integer(random);
}

function integer(random: Random): bigint {
  const values = [0n, 1n, -1n, 127n, 128n, 300n, -(2n ** 31n), 2n ** 31n - 1n, 2n ** 63n - 1n, -(2n ** 63n)];
  return values[random(values.length)]!;
}

function bytesOf(spec: Spec, events: readonly Event[]): Uint8Array {
  const writer = new ProtoWriter();
  for (const event of events) writeEvent(writer, spec, event);
  return writer.finish();
}

function writeEvent(writer: ProtoWriter, spec: Spec, event: Event): void {
  const { number } = event;
  if ("junk" in event) return writeJunk(writer, number, event.junk);
  const { kind, fields } = spec[number]!;
  if ("values" in event) {
    const packed = new ProtoWriter();
    for (const value of event.values) writeInteger(packed, kind, value);
    writer.tag(number, WireType.lengthDelimited).lengthDelimited(packed.finish());
  } else if (kind === "message") {
    const bytes = bytesOf(fields!(), event.value as readonly Event[]);
    writer.tag(number, WireType.lengthDelimited).lengthDelimited(bytes);
  } else if (kind === "group") {
    const bytes = bytesOf(fields!(), event.value as readonly Event[]);
    writer.tag(number, WireType.startGroup).raw(bytes).tag(number, WireType.endGroup);
  } else if (kind === "text") writer.tag(number, WireType.lengthDelimited).string(event.value as string);
  else if (kind === "float") writer.tag(number, WireType.fixed32).float(event.value as number);
  else {
    writer.tag(number, kind === "fixed64" ? WireType.fixed64 : WireType.varint);
    writeInteger(writer, kind, event.value as bigint);
  }
}

function writeInteger(writer: ProtoWriter, kind: Kind, value: bigint): void {
  if (kind === "fixed64") writer.fixed64(value);
  else if (kind === "zigzag") {
    const narrow = BigInt.asIntN(32, value);
    writer.int64((narrow << 1n) ^ (narrow >> 63n));
  } else writer.int64(value);
}

function writeJunk(writer: ProtoWriter, number: number, junk: "varint" | "fixed32" | "text" | "group"): void {
  if (junk === "varint") writer.tag(number, WireType.varint).int64(-1n);
  else if (junk === "fixed32") writer.tag(number, WireType.fixed32).fixed32(7);
  else if (junk === "text") writer.tag(number, WireType.lengthDelimited).string("\xff\x00");
  else {
    writer.tag(number, WireType.startGroup).tag(1, WireType.varint).varint32(5);
    writer.tag(number, WireType.endGroup);
  }
}

/** Returns the content of a message according to the simple parser, without absent fields. */
function valueOf(spec: Spec, events: readonly Event[]): Record<string, unknown> {
  const parts = new Map<FieldSpec, unknown[]>();
  const fields = Object.entries(spec);
  for (const event of events) {
    if ("junk" in event) continue;
    const field = spec[event.number]!;
    const values = "values" in event ? event.values : [event.value];
    if (values.length === 0) continue;
    if (field.oneof === true) {
      for (const [, other] of fields) if (other.oneof === true && other !== field) parts.delete(other);
    }
    parts.set(field, [...(parts.get(field) ?? []), ...values]);
  }
  return Object.fromEntries(
    fields
      .filter(([, field]) => parts.has(field))
      .map(([, field]) => [field.name, itemsOf(field, parts.get(field)!)]),
  );
}

function itemsOf(field: FieldSpec, parts: readonly unknown[]): readonly unknown[] {
  const { repeated, fields, map } = field;
  if (fields === undefined)
    return (repeated ? parts : parts.slice(-1)).map((value) => scalarOf(field, value));
  const messages = repeated ? parts : [parts.flat()];
  return messages.map((events) => {
    const value = valueOf(fields(), events as readonly Event[]);
    return map === true ? { key: [""], value: [{}], ...value } : value;
  });
}

function scalarOf({ kind, as }: FieldSpec, value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  if (as === "bool") return value === 0n ? 0 : 1;
  if (as === "int32" || kind === "zigzag") return Number(BigInt.asIntN(32, value));
  return kind === "fixed64" ? BigInt.asUintN(64, value) : value;
}

/** Removes nested fields that {@link FUZZED_COLUMNS} does not select. Leaves map entries as they are. */
function withoutDeep(row: Record<string, unknown>): Record<string, unknown> {
  const shallow = (message: Readonly<Record<string, unknown>>): object => ({
    ...message,
    ...(message["inner"] !== undefined && {
      inner: (message["inner"] as readonly Readonly<Record<string, unknown>>[]).map((deep) =>
        only(deep, "z", "s"),
      ),
    }),
  });
  const copy = { ...row };
  for (const name of ["one", "many", "node"]) {
    if (copy[name] !== undefined) {
      copy[name] = (copy[name] as readonly Readonly<Record<string, unknown>>[]).map(shallow);
    }
  }
  if (copy["grp"] !== undefined) {
    copy["grp"] = (copy["grp"] as readonly Readonly<Record<string, unknown>>[]).map((group) => ({
      ...group,
      ...(group["in"] !== undefined && {
        in: (group["in"] as readonly Readonly<Record<string, unknown>>[]).map((each) => only(each, "z")),
      }),
    }));
  }
  return copy;
}

/** Returns the column of a map key, with the value of the last entry that has the key. Empty if no entry has it. */
function keyed({ m = [] }: Readonly<Record<string, unknown>>, key: string, leaf: string): object {
  const found = (m as readonly Entry[]).findLast((each) => each.key[0] === key);
  return found === undefined ? {} : { [`m[${key}]`]: [only(found.value[0], leaf)] };
}

function only(message: Readonly<Record<string, unknown>>, ...names: readonly string[]): object {
  return Object.fromEntries(Object.entries(message).filter(([name]) => names.includes(name)));
}
