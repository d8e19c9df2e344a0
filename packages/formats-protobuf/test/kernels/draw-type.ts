import type { Random } from "@tfxio/wire";

const SCALARS = [
  "int32",
  "uint32",
  "sint32",
  "int64",
  "uint64",
  "sint64",
  "bool",
  "fixed32",
  "sfixed32",
  "float",
  "fixed64",
  "double",
  "string",
  "bytes",
] as const;
const MAP_KEYS = ["int32", "sint64", "bool", "fixed32", "string"] as const;

/** A scalar type (its keyword), `"enum"`, or a message or group (its index among the messages of the type). */
export type DrawnValue =
  | (typeof SCALARS)[number]
  | "enum"
  | { readonly message: number; readonly isGroup: boolean };

/** A field of a drawn message. */
export interface DrawnField {
  readonly name: string;
  readonly number: number;
  readonly value: DrawnValue;
  readonly isRepeated: boolean;
  readonly isInOneof: boolean;
}

/** A message type: its .proto text, and its fields, from which tests encode messages. */
export interface DrawnType {
  /** Text of a `.proto` file. The type is its message `M0`. */
  readonly proto: string;
  /** Fields of each message, and after them those of map entries and groups. */
  readonly messages: readonly (readonly DrawnField[])[];
}

/** Draws a type of a few messages. Each contains only later messages, so that no message contains itself. */
export function drawType(random: Random): DrawnType {
  const numMessages = 1 + random.below(5);
  const messages: DrawnField[][] = [];
  const entries: DrawnField[][] = [];
  const texts = Array.from({ length: numMessages }, (_, index) => {
    const fields: DrawnField[] = [];
    messages.push(fields);
    const numbers = new Set<number>();
    let inOneof = "";
    let text = "";
    for (let left = random.below(7); left > 0; left--) {
      const number = drawNumber(random);
      if (numbers.has(number)) continue;
      numbers.add(number);
      const name = `f${number}`;
      const later = numMessages - index - 1;
      const pick = later > 0 ? random.below(10) : random.below(6);
      if (pick === 9) {
        const key = MAP_KEYS[random.below(MAP_KEYS.length)]!;
        const inner = index + 1 + random.below(later);
        const value = random.below(2) === 0 ? drawScalar(random) : { message: inner, isGroup: false };
        const entry = numMessages + entries.length;
        entries.push([
          { name: "key", number: 1, value: key, isRepeated: false, isInOneof: false },
          { name: "value", number: 2, value, isRepeated: false, isInOneof: false },
        ]);
        fields.push({
          name,
          number,
          value: { message: entry, isGroup: false },
          isRepeated: true,
          isInOneof: false,
        });
        text += `map<${key}, ${typeof value === "string" ? keyword(value) : `M${inner}`}> ${name} = ${number};\n`;
        continue;
      }
      const value: DrawnValue =
        pick < 6 ? drawScalar(random) : { message: index + 1 + random.below(later), isGroup: false };
      const kind = random.below(4);
      const isRepeated = kind < 2;
      const isInOneof = kind === 2;
      fields.push({ name, number, value, isRepeated, isInOneof });
      const type = typeof value === "string" ? keyword(value) : `M${value.message}`;
      const isPacked = isRepeated && typeof value === "string" && value !== "string" && value !== "bytes";
      const option = isPacked && random.below(2) === 0 ? " [packed = true]" : "";
      if (isInOneof) inOneof += `${type} ${name} = ${number};\n`;
      else text += `${isRepeated ? "repeated" : "optional"} ${type} ${name} = ${number}${option};\n`;
    }
    if (random.below(4) === 0) {
      const number = 20 + random.below(3);
      const group = numMessages + entries.length;
      const value = drawScalar(random);
      entries.push([{ name: "in", number: 1, value, isRepeated: true, isInOneof: false }]);
      const isRepeated = random.below(2) === 0;
      fields.push({
        name: `g${number}`,
        number,
        value: { message: group, isGroup: true },
        isRepeated,
        isInOneof: false,
      });
      const label = isRepeated ? "repeated" : "optional";
      text += `${label} group G${number} = ${number} { repeated ${keyword(value)} in = 1; }\n`;
    }
    if (inOneof !== "") text += `oneof o { ${inOneof} }\n`;
    return `message M${index} { ${text} }`;
  });
  const proto = `syntax = "proto2"; enum E { A = 0; B = 1; }\n${texts.join("\n")}`;
  return { proto, messages: [...messages, ...entries] };
}

function drawNumber(random: Random): number {
  const most = [15, 15, 15, 19, 300, 5000, 2 ** 29 - 1][random.below(7)]!;
  const number = 1 + random.below(most);
  // Protobuf reserves field numbers 19000 to 19999. Groups use 20 to 22.
  return (number >= 19_000 && number < 20_000) || (number >= 20 && number < 23) ? 16 : number;
}

function drawScalar(random: Random): Exclude<DrawnValue, object> {
  const at = random.below(SCALARS.length + 1);
  return SCALARS[at] ?? "enum";
}

function keyword(value: Exclude<DrawnValue, object>): string {
  return value === "enum" ? "E" : value;
}
