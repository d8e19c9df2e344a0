import { afterEach, beforeAll, expect, test } from "@jest/globals";
import "@tensorflow/tfjs-backend-cpu";
import "@tensorflow/tfjs-backend-wasm";
import * as tf from "@tensorflow/tfjs-core";
import { BytesColumn, type HostDense, type TensorFactory, toTensor } from "../../src/index.js";

const texts = ["", "é", "three words here", "\u{1f600}"];

function column(shape: number[] = [texts.length]): HostDense {
  const values = BytesColumn.from(texts.map((text) => new TextEncoder().encode(text)));
  return { kind: "dense", dtype: "string", shape, values, borrowed: false };
}

/** Returns the array of strings that the cpu backend holds for a tensor, or undefined before the first read. */
function heldStrings({ dataId }: tf.Tensor): unknown {
  const { data } = tf.backend() as unknown as { readonly data: { get(id: object): object } };
  return Object.getOwnPropertyDescriptor(data.get(dataId), "values")?.value;
}

tf.enableProdMode();
beforeAll(() => tf.setBackend("cpu"));

afterEach(() => {
  expect(tf.memory().numTensors).toBe(0);
});

test("a tensor creates its array of strings only once, on the first read", () => {
  const tensor = toTensor(column(), { tf });
  expect(heldStrings(tensor)).toBeUndefined();
  expect(tensor.dataSync<"string">()).toEqual(texts);
  const held = heldStrings(tensor);
  expect(held).toHaveLength(texts.length);
  expect(tensor.dataSync<"string">()).toEqual(texts);
  expect(heldStrings(tensor)).toBe(held);
  tensor.dispose();
});

test("TensorFlow.js operations give the same results for unread strings as for strings from tf.tensor1d", async () => {
  const operations: readonly ((words: tf.Tensor) => tf.Tensor)[] = [
    (words) => words.clone(),
    (words) => tf.reshape(words, [2, 2]),
    (words) => tf.tile(words, [2]),
    (words) => tf.slice(words, [1], [2]),
    (words) => tf.concat([words, words]),
    (words) => tf.string.stringToHashBucketFast(words, 10),
  ];
  for (const operation of operations) {
    const found = tf.tidy(() => operation(toTensor(column(), { tf })));
    const expected = tf.tidy(() => operation(tf.tensor1d(texts)));
    expect(found.shape).toEqual(expected.shape);
    expect(await found.array()).toEqual(await expected.array());
    tf.dispose([found, expected]);
  }
});

test("a clone can still read its strings after the original tensor is disposed", () => {
  const tensor = toTensor(column(), { tf });
  const clone = tensor.clone();
  tensor.dispose();
  expect(clone.dataSync<"string">()).toEqual(texts);
  clone.dispose();
});

test("unread strings move from the cpu backend to the wasm backend", async () => {
  const tensor = toTensor(column(), { tf });
  await tf.setBackend("wasm");
  try {
    const some = tf.slice(tensor, [1], [2]);
    expect(await some.data<"string">()).toEqual(texts.slice(1, 3));
    tf.dispose([tensor, some]);
  } finally {
    await tf.setBackend("cpu");
  }
});

test("tf.memory counts the bytes of strings, read or not", () => {
  const { numBytes } = tf.memory();
  const tensor = toTensor(column([2, 2]), { tf });
  const expected = texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length, 0);
  expect(tf.memory().numBytes - numBytes).toBe(expected);
  tensor.dataSync();
  expect(tf.memory().numBytes - numBytes).toBe(expected);
  tensor.dispose();
  expect(tf.memory().numBytes).toBe(numBytes);
});

test("a string column without values becomes an empty tensor", () => {
  const values = BytesColumn.from([]);
  const tensor = toTensor({ kind: "dense", dtype: "string", shape: [0], values, borrowed: false }, { tf });
  expect(tensor.dataSync<"string">()).toEqual([]);
  tensor.dispose();
});

test("a cpu backend receives the array of strings immediately if it does not expose its stored data", () => {
  const engine = tf.engine();
  const backend = new Proxy(engine.backend, {
    get: (target, key) => (key === "data" ? undefined : (Reflect.get(target, key) as unknown)),
  });
  const elsewhere = new Proxy(engine, {
    get: (target, key) => {
      if (key === "backend") return backend;
      const value = Reflect.get(target, key) as unknown;
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  const factory: TensorFactory = { tensor: tf.tensor, engine: () => elsewhere };
  const tensor = toTensor(column(), { tf: factory });
  expect(heldStrings(tensor)).toHaveLength(texts.length);
  expect(tensor.dataSync<"string">()).toEqual(texts);
  tensor.dispose();
});
