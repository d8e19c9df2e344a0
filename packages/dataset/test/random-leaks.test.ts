import "@tensorflow/tfjs-backend-cpu";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import * as tf from "@tensorflow/tfjs-core";
import { Random } from "@tfxio/wire";
import { type Dataset, fromItems, tuple, zip } from "../src/index.js";

const NUM_PIPELINES = 800;

type Elements = Dataset<unknown>;
/** Counts the calls of a pipeline's functions, and throws at the randomly chosen call, if any. */
type Fail = () => void;
interface Step {
  readonly name: string;
  readonly apply: (elements: Elements, fail: Fail) => Elements;
}

const step = (name: string, apply: Step["apply"]): Step => ({ name, apply });
const checked =
  <T>(fail: Fail, result: (element: unknown) => T) =>
  (element: unknown): T => {
    fail();
    return result(element);
  };
const later =
  <T>(fail: Fail, result: (element: unknown) => T) =>
  async (element: unknown): Promise<T> => {
    await Promise.resolve();
    fail();
    return result(element);
  };
const same = (element: unknown): unknown => element;
const scalars = (count: number): Elements =>
  fromItems(Array.from({ length: count }, (_, i) => i)).withTensors({ tf });

// Windows and groups are omitted, since they own their tensors until they are garbage-collected.
const steps: readonly Step[] = [
  step("shuffle", (elements) => elements.shuffle(5, { seed: 1 })),
  step("repeat", (elements) => elements.repeat(2)),
  step("take", (elements) => elements.take(17)),
  step("prefetch", (elements) => elements.prefetch(3)),
  step("map", (elements, fail) => elements.map(checked(fail, same))),
  step("map that adds a tensor", (elements, fail) =>
    elements.map((element) => {
      const made = tf.scalar(1);
      fail();
      return { element, made };
    }),
  ),
  step("map to another tensor", (elements) => elements.map(() => tf.scalar(2))),
  step("async map", (elements, fail) => elements.map(later(fail, same))),
  step("parallel map", (elements, fail) => elements.map(later(fail, same), { parallel: 3 })),
  step("unordered map", (elements, fail) => elements.map(later(fail, same), { parallel: 3, ordered: false })),
  step("filter", (elements, fail) => {
    let k = 0;
    return elements.filter(checked(fail, () => k++ % 2 === 0));
  }),
  step("takeWhile", (elements, fail) => {
    let k = 0;
    return elements.takeWhile(checked(fail, () => k++ < 11));
  }),
  step("batch", (elements) => elements.batch(3)),
  step("batch without a remainder", (elements) => elements.batch(4, { dropRemainder: true })),
  step("flatMap", (elements, fail) => elements.flatMap(checked(fail, (element) => [element]))),
  step("interleave", (elements, fail) =>
    elements.interleave(
      checked(fail, (element) => fromItems([element])),
      { cycle: 2 },
    ),
  ),
  step("parallel interleave", (elements, fail) =>
    elements.interleave(
      checked(fail, (element) => fromItems([element])),
      { cycle: 2, parallel: true },
    ),
  ),
  step("zip", (elements) => zip(tuple(elements, fromItems([1, 2, 3, 4, 5])))),
  step("zip after numbers", (elements) => zip(tuple(fromItems([1, 2, 3, 4, 5]), elements))),
  step("enumerate", (elements) => elements.enumerate()),
  step("ignoreErrors", (elements) => elements.ignoreErrors()),
  step("scan", (elements, fail) =>
    elements.scan(0, (state, element) => {
      fail();
      return [state + 1, element] as const;
    }),
  ),
  step("concatenate", (elements) => elements.concatenate(scalars(1))),
  step("shard", (elements) => elements.shard(2, 1)),
  step("rejectionResample", (elements, fail) =>
    elements.rejectionResample(
      checked(fail, () => 0),
      { target: [1], seed: 1 },
    ),
  ),
];

beforeAll(async () => {
  jest.spyOn(console, "warn").mockReturnValue();
  await tf.setBackend("cpu");
});
afterAll(() => {
  jest.restoreAllMocks();
});

/** Reads a pass and disposes its elements. Stops at the end, after 30 errors, or at element `stopAt`. */
async function readPass(elements: Elements, stopAt: number, random: Random): Promise<void> {
  const onElementError = random.below(2) === 0 ? "end" : "continue";
  const iterator = await elements.iterator({ onElementError });
  for (let numRead = 0, numErrors = 0; numRead !== stopAt && numErrors < 30; ) {
    try {
      const { done, value } = await iterator.next();
      if (done === true) break;
      tf.dispose(value as tf.TensorContainer);
      numRead++;
    } catch {
      numErrors++;
    }
  }
  const pending = random.below(2) === 0 ? [iterator.next(), iterator.next()] : [];
  await iterator.close();
  for (const result of await Promise.allSettled(pending)) {
    if (result.status === "fulfilled") tf.dispose(result.value.value as tf.TensorContainer);
  }
}

test("random pipelines leak no tensors, whether a pass ends, fails or is closed early", async () => {
  const leaks: string[] = [];
  for (let seed = 0; seed < NUM_PIPELINES; seed++) {
    const random = Random.of(seed, 0);
    const chosen = Array.from(
      { length: 1 + random.below(4) },
      () => steps[random.below(steps.length)] as Step,
    );
    const failAt = random.below(3) === 0 ? random.below(12) : -1;
    const stopAt = random.below(2) === 0 ? random.below(9) : -1;
    let numCalls = 0;
    const fail = (): void => {
      if (numCalls++ === failAt) throw new Error("planned");
    };
    const numBefore = tf.memory().numTensors;
    const pipeline = chosen.reduce((elements, { apply }) => apply(elements, fail), scalars(13));
    await readPass(pipeline, stopAt, random);
    await new Promise((resolve) => setImmediate(resolve));
    const numLeft = tf.memory().numTensors - numBefore;
    const names = chosen.map(({ name }) => name).join(" | ");
    if (numLeft !== 0) leaks.push(`${names}, fails at ${failAt}, stops at ${stopAt}: ${numLeft} tensors`);
  }
  expect(leaks).toEqual([]);
});
