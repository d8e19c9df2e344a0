import { describe, expect, test } from "@jest/globals";
import { createExampleDecoder, encodeExample } from "@tfxio/arrow-encoding";
import {
  bytes,
  defineSchema,
  float,
  inferTensorRepresentationsFromMixedSchema,
  int,
  type Schema,
  struct,
} from "@tfxio/schema";
import "@tensorflow/tfjs-backend-cpu";
import * as tf from "@tensorflow/tfjs-core";
import {
  type AdapterFactory,
  BytesColumn,
  type HostColumn,
  type HostDense,
  type HostRagged,
  type HostSparse,
  TensorAdapter,
  typedTensors,
} from "../src/index.js";
import { codedError } from "./representations.js";

const schema = defineSchema({
  features: {
    age: int().shape([]),
    size: float().shape([2]).default(0),
    words: bytes(),
    index: int().range({ min: 0, max: 9 }),
    weight: float(),
  },
  sparseFeatures: { bag: { indices: ["index"], values: "weight" } },
});
const names = ["age", "size", "words"] as const;

/** True if both types are assignable to each other. `expect<Same<A, B>>(true)` compiles only then. */
type Same<Left, Right> = [Left] extends [Right] ? ([Right] extends [Left] ? true : false) : false;

function configOf(of: Schema): ConstructorParameters<typeof TensorAdapter>[0] {
  return {
    arrowSchema: createExampleDecoder({ schema: of }).arrowSchema(),
    tensorRepresentations: inferTensorRepresentationsFromMixedSchema(of),
  };
}

const example = encodeExample({
  age: { kind: "int64", values: [41] },
  size: null,
  words: { kind: "bytes", values: ["a", "b"] },
  index: null,
  weight: null,
});
const decoder = createExampleDecoder({ schema });
const batch = decoder.decode([example]);

describe("typed tensors", () => {
  test("have static names, kinds and dtypes", () => {
    const adapter = typedTensors(schema, names)(configOf(schema));
    const host = adapter.toHost(batch);
    expect<Same<(typeof host)["age"], HostDense<"int64">>>(true).toBe(true);
    expect<Same<(typeof host)["size"], HostDense<"float32">>>(true).toBe(true);
    expect<Same<(typeof host)["words"], HostSparse<"string"> | HostRagged<"string">>>(true).toBe(true);
    const age: BigInt64Array = host.age.values;
    const size: Float32Array = host.size.values;
    const words: BytesColumn = host.words.values;
    expect([age, size, words.length]).toEqual([BigInt64Array.of(41n), Float32Array.of(0, 0), 2]);
    // @ts-expect-error no such tensor
    expect(host.none).toBeUndefined();
    // @ts-expect-error `names` leaves out this part of a sparse feature
    expect(host.weight).toBeUndefined();
    // @ts-expect-error no such tensor
    expect(codedError(() => adapter.toHost(batch, ["none"]))).toMatchObject({ reason: "unknown-tensor" });
    const some = adapter.toHost(batch, ["age"]);
    expect<Same<keyof typeof some, "age">>(true).toBe(true);
    // @ts-expect-error not requested
    expect(some.size).toBeUndefined();
  });

  test("have static types in the result of toTensors too", async () => {
    tf.enableProdMode();
    await tf.setBackend("cpu");
    const before = tf.memory().numTensors;
    const adapter = typedTensors(schema, names)(configOf(schema));
    const tensors = adapter.toTensors(batch, { tf, names: ["age", "words"] });
    expect<Same<(typeof tensors)["age"], tf.Tensor>>(true).toBe(true);
    expect(await tensors.age.data()).toEqual(Int32Array.of(41));
    tensors.age.dispose();
    tensors.words.dispose();
    const kept = adapter.toTensors(batch, { tf, names: ["age"], int64: "host" });
    expect<Same<(typeof kept)["age"], tf.Tensor | HostDense<"int64">>>(true).toBe(true);
    expect(tf.memory().numTensors).toBe(before);
  });

  test("of a projection include only the requested tensors", () => {
    const projected = typedTensors(schema, names)(configOf(schema)).project(["size"]);
    const host = projected.toHost(batch);
    expect<Same<keyof typeof host, "size">>(true).toBe(true);
    expect(Object.keys(host)).toEqual(["size"]);
    expect([...projected.originalTypeSpecs().keys()]).toContain("age");
  });

  test("of a struct are named after the struct and its children", () => {
    const nested = defineSchema({ features: { user: struct({ ids: int(), name: bytes() }) } });
    const factory = typedTensors(nested);
    type Columns = typeof factory extends AdapterFactory<infer Found> ? Found : never;
    expect<Same<keyof Columns, "user.ids" | "user.name">>(true).toBe(true);
    expect<Same<Columns["user.ids"], HostRagged<"int64">>>(true).toBe(true);
    expect<Same<Columns["user.name"], HostRagged<"string">>>(true).toBe(true);
  });

  test("have general types if the compiler does not know the schema", () => {
    const unknown: Schema = schema;
    const factory = typedTensors(unknown, ["age"]);
    const host = factory(configOf(schema)).toHost(batch);
    expect<Same<(typeof host)["age"], HostColumn>>(true).toBe(true);
    expect(host.age.kind).toBe("dense");
    const general: TensorAdapter = typedTensors(schema, names)(configOf(schema));
    expect(general.typeSpecs().size).toBe(4);
  });

  test("reject a config in which a feature has no tensor, or a tensor of the wrong kind or dtype", () => {
    const mismatch = { code: "schema-mismatch", reason: "typed-tensor" };
    expect(codedError(() => typedTensors(schema)(configOf(schema)))).toMatchObject({
      ...mismatch,
      columnPath: "index",
      message: expect.stringContaining(
        'There is no tensor "index". Pass typedTensors a list of names without it; the',
      ),
    });
    const ofKind = (other: Schema): unknown =>
      codedError(() => typedTensors(schema, ["age"])(configOf(other)));
    expect(ofKind(defineSchema({ features: { age: int() } }))).toMatchObject(mismatch);
    expect(ofKind(defineSchema({ features: { age: float().shape([]) } }))).toMatchObject(mismatch);
    expect(ofKind(defineSchema({ features: { size: float() } }))).toMatchObject(mismatch);
  });
});
