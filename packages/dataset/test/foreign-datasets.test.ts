import { beforeAll, describe, expect, test } from "@jest/globals";
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import * as tfData from "@tensorflow/tfjs-data";
import { type Dataset, fromItems } from "../src/index.js";
import { asTfDataset } from "../src/tfjs/index.js";

beforeAll(async () => {
  tf.env().set("IS_TEST", true); // Suppresses the advice to install tfjs-node.
  await tf.setBackend("cpu");
});

type TfDataset = tfData.Dataset<tf.TensorContainer>;
const NONE = -1;

/** Our dataset of the tensors 0, 1, 2 and so on. The element at `failsAt` fails. */
function ours(length: number, failsAt = NONE): Dataset<unknown> {
  return fromItems(Array.from({ length }, (_, at) => at))
    .map((at) => {
      if (at === failsAt) throw new RangeError("it fails");
      return tf.scalar(at);
    })
    .prefetch(2);
}

/** The same dataset in tfjs-data. */
function theirs(length: number, failsAt = NONE): TfDataset {
  return tfData.generator<tf.TensorContainer>(function* tensors() {
    for (let at = 0; at < length; at++) {
      if (at === failsAt) throw new RangeError("it fails");
      yield tf.scalar(at);
    }
  } as never);
}

/** Reads and disposes up to `numElements` elements. Returns how many it read, how many tensors leaked, and any error. */
async function consumed(dataset: TfDataset, numElements: number, close = async (): Promise<void> => {}) {
  const before = tf.memory().numTensors;
  const iterator = await dataset.iterator();
  let numTaken = 0;
  let failure: unknown;
  try {
    for (; numTaken < numElements; numTaken++) {
      const { value, done } = await iterator.next();
      if (done) break;
      tf.dispose(value);
    }
  } catch (error) {
    failure = error;
  }
  await close();
  return { numTaken, numLeft: tf.memory().numTensors - before, failure };
}

const asTf = (dataset: Dataset<unknown>): TfDataset => asTfDataset(dataset, tfData);
const zipped = (one: TfDataset, other: TfDataset): TfDataset =>
  tfData.zip<tf.TensorContainer>({ one, other });

describe("tf.data.zip with a dataset of tfjs-data", () => {
  test("leaks no tensor if it is read to the end", async () => {
    expect(await consumed(zipped(asTf(ours(4)), theirs(4)), 9)).toMatchObject({ numTaken: 4, numLeft: 0 });
    expect(await consumed(zipped(theirs(4), asTf(ours(4))), 9)).toMatchObject({ numTaken: 4, numLeft: 0 });
  });

  test("leaks none of our tensors if our dataset is closed before the end", async () => {
    const dataset = ours(9);
    const left = await consumed(zipped(asTf(dataset), theirs(9)), 2, () => dataset.close());
    expect(left).toMatchObject({ numTaken: 2, numLeft: 0 });
  });

  test("leaks only the tensors that tfjs-data itself drops from a failing pair", async () => {
    const reference = await consumed(zipped(theirs(4, 2), theirs(4)), 9);
    const failed = await consumed(zipped(asTf(ours(4, 2)), theirs(4)), 9);
    expect(failed.numTaken).toBe(2);
    expect(failed.failure).toMatchObject({ code: "user-function" });
    expect(failed.numLeft).toBeLessThanOrEqual(reference.numLeft);
  });

  test("leaks only the tensors that tfjs-data itself drops when our dataset is the longer one", async () => {
    const reference = await consumed(zipped(theirs(4), theirs(2)), 9);
    const dataset = ours(4);
    const shorter = await consumed(zipped(asTf(dataset), theirs(2)), 9, () => dataset.close());
    expect(shorter).toMatchObject({ numTaken: 2 });
    expect(shorter.numLeft).toBeLessThanOrEqual(reference.numLeft);
  });
});

describe("concatenate of our dataset and one of tfjs-data", () => {
  test.each([
    ["our dataset first", () => asTf(ours(3)).concatenate(theirs(2))],
    ["our dataset last", () => theirs(2).concatenate(asTf(ours(3)))],
  ])("leaks no tensor if it is read to the end (%s)", async (_, make) => {
    expect(await consumed(make(), 9)).toMatchObject({ numTaken: 5, numLeft: 0 });
  });

  test("leaks no tensor if our dataset is closed before the end", async () => {
    const dataset = ours(9);
    const left = await consumed(theirs(2).concatenate(asTf(dataset)), 4, () => dataset.close());
    expect(left).toMatchObject({ numTaken: 4, numLeft: 0 });
  });

  test("leaks no tensor if our dataset fails", async () => {
    const failed = await consumed(theirs(2).concatenate(asTf(ours(9, 3))), 9);
    expect(failed).toMatchObject({ numTaken: 5, numLeft: 0, failure: { code: "user-function" } });
  });
});
