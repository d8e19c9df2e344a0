import { create, type DescField, type DescMessage, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";

/** Returns a seeded generator of numbers from 0 (inclusive) to 1 (exclusive). */
export function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Few names, so that features, columns, tensors and groups share them. */
const strings = ["", "a", "b", "toString"];

/** Returns a message with random values in some of its fields, and sometimes with an unknown field. */
export function randomMessage<Desc extends DescMessage>(
  descriptor: Desc,
  random: () => number,
  depth = 0,
): MessageShape<Desc> {
  const message = create(descriptor);
  const target = reflect(descriptor, message);
  for (const field of descriptor.fields) {
    // The deeper a message, the fewer fields are set, so that the recursion ends.
    if (random() > (depth === 0 ? 0.7 : 1.2 / (depth + 1))) continue;
    const count = 1 + Math.floor(random() * 4);
    if (field.fieldKind === "list") {
      for (let item = 0; item < count; item++) target.get(field).add(value(field, random, depth));
    } else if (field.fieldKind === "map") {
      for (let item = 0; item < count; item++) {
        target.get(field).set(pick(strings, random), value(field, random, depth));
      }
    } else {
      target.set(field, value(field, random, depth));
    }
  }
  if (random() < 0.1) message.$unknown = [{ no: 5000, wireType: 0, data: Uint8Array.of(random() * 128) }];
  return message;
}

function value(field: DescField, random: () => number, depth: number): unknown {
  if (field.message !== undefined) {
    return reflect(field.message, randomMessage(field.message, random, depth + 1));
  }
  if (field.enum !== undefined) return pick(field.enum.values, random).number;
  switch (field.scalar) {
    case ScalarType.STRING:
      return pick(strings, random);
    case ScalarType.BYTES:
      return Uint8Array.of(random() * 256);
    case ScalarType.BOOL:
      return random() < 0.5;
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return Math.floor(random() * 8) / 4;
    case ScalarType.INT64:
    case ScalarType.UINT64:
      return BigInt(Math.floor(random() * 4));
    default:
      return Math.floor(random() * 4);
  }
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)] as Item;
}
