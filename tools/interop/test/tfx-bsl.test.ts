import { describe, expect, test } from "@jest/globals";
import { createReporter, type Finding } from "../src/reporter.js";
import { answerDifference, answerOf } from "../src/tfx-bsl/answers.js";
import { hostileBatches } from "../src/tfx-bsl/cases/hostile-records.js";
import { knownDifferences } from "../src/tfx-bsl/known-differences.js";
import { createListedDifferences, type ListedDifference } from "../src/tfx-bsl/listed-differences.js";
import { batchFaults } from "../src/tfx-bsl/planted/batches.js";
import { changedAt, reportPlanted } from "../src/tfx-bsl/planted/planted-fault.js";
import { conversionFaults, vectorFaults } from "../src/tfx-bsl/planted/conversions.js";
import { tensorFaults } from "../src/tfx-bsl/planted/tensors.js";
import { type Question, reportTogether } from "../src/tfx-bsl/question.js";
import { randomTensors } from "../src/tfx-bsl/cases/random-tensors.js";
import { canonicalVector } from "../src/tfx-bsl/vector-form.js";
import { delimited, fixed32, overlongVarint, tag, varint } from "../src/tfx-bsl/cases/wire-bytes.js";

function findings(): { readonly report: ReturnType<typeof createReporter>; readonly found: string[] } {
  const found: string[] = [];
  const take = ({ status, what, why }: Finding): void => {
    found.push(`${status} ${what}${why && `: ${why}`}`);
  };
  return { report: createReporter(take, (line) => found.push(`note ${line}`)), found };
}

const question = (what: string, theirs: object, ours: object): Question => ({
  what,
  theirs: { ...theirs },
  differenceTo: (each) => answerDifference(each, { ...ours }),
});

const tie: ListedDifference = { reason: "ours is longer", isShownBy: ({ what }) => what === "ties" };

describe("results", () => {
  test("agree if both sides reject, and differ if only one side rejects or values differ", () => {
    expect(answerDifference({ error: "ValueError: x" }, { error: "RecordError: y" })).toBeUndefined();
    expect(answerDifference({ error: "ValueError: x" }, { rows: 1 })).toBe(
      "we accept the input, but tfx_bsl rejects it: ValueError: x",
    );
    expect(answerDifference({ rows: 1 }, { error: "y" })).toBe(
      "tfx_bsl accepts the input, but we reject it: y",
    );
    expect(answerDifference({ rows: 1 }, { rows: 2 })).toBe("rows: expected 1, got 2");
  });

  test("become rejections if a call throws", async () => {
    expect(await answerOf(() => ({ rows: 1 }))).toEqual({ rows: 1 });
    const throws = (): never => {
      throw new RangeError("too far");
    };
    expect(await answerOf(throws)).toEqual({ error: "RangeError: too far" });
  });
});

describe("listed differences", () => {
  test("are not failures, but each must still occur", async () => {
    const listed = createListedDifferences({ ties: tie, hats: { ...tie, isShownBy: () => false } });
    const { report, found } = findings();
    await reportTogether("clothes", [question("ties", { rows: 1 }, { rows: 2 })], listed, report);
    listed.reportSeen(report);
    expect(found).toEqual([
      "passed clothes: 1 comparisons",
      "passed listed difference: ties (ours is longer)",
      "failed listed difference: hats: this run did not show it; if it no longer occurs, remove it from the list",
    ]);
  });

  test("do not cover an unlisted difference", async () => {
    const { report, found } = findings();
    const questions = [question("socks", { rows: 1 }, { rows: 2 }), question("shoes", {}, {})];
    await reportTogether("clothes", questions, createListedDifferences({ ties: tie }), report);
    expect(found).toEqual([
      "failed clothes, socks: rows: expected 1, got 2",
      "note clothes: 1 of 2 comparisons differ",
    ]);
  });

  test("include an int64 value of a step only if it is truncated to 32 bits", () => {
    const shown = (difference: string): boolean =>
      knownDifferences["int64 values of steps"]?.isShownBy({
        area: "tf.SequenceExamples",
        what: "batch 1",
        difference,
      }) === true;
    const at = "columns[0].fields[0].items.items.values[0]";
    expect(shown(`${at}: expected "-2147483648", got "2147483648"`)).toBe(true);
    expect(shown(`${at}: expected "-2147483648", got "2147483649"`)).toBe(false);
    expect(shown('columns[0].items.values[0]: expected "-2147483648", got "2147483648"')).toBe(false);
  });
});

describe("planted faults", () => {
  const value = {
    name: "a value",
    plant: ({ rows }: Readonly<Record<string, unknown>>) => (rows === 1 ? { rows: 9 } : undefined),
  };

  test("are planted in the first result that equals ours and has a place for them, and the check passes if it detects them", async () => {
    const { report, found } = findings();
    const questions = [question("a", { rows: 0 }, { rows: 0 }), question("b", { rows: 1 }, { rows: 2 })];
    await reportPlanted("x", [value], [...questions, question("c", { rows: 1 }, { rows: 1 })], report);
    expect(found).toEqual(["passed planted in x: a value"]);
  });

  test("have a check that fails if it does not detect them, or if no result has a place for them", async () => {
    const { report, found } = findings();
    const blind: Question = { what: "blind", theirs: { rows: 1 }, differenceTo: () => undefined };
    await reportPlanted("x", [value], [blind], report);
    await reportPlanted("y", [value], [], report);
    expect(found).toEqual([
      "failed planted in x: a value: Error: the comparison must detect the fault in blind",
      "failed planted in y: a value: Error: some answer must equal ours and have a suitable place for the fault, found none",
    ]);
  });

  test("change a copy at the first suitable place", () => {
    const json = { a: [1, 2, 2] };
    expect(changedAt(json, (each) => (each === 2 ? 3 : undefined))).toEqual({ a: [1, 3, 2] });
    expect(json).toEqual({ a: [1, 2, 2] });
    expect(changedAt(json, () => undefined)).toBeUndefined();
  });

  test("include a null in place of an empty list and the reverse, and only three of the faults can be planted in a result that is an error", () => {
    const lists = { rows: 2, columns: [{ name: "a", valid: "10", lengths: [0, null] }] };
    const planted = new Map(batchFaults.map(({ name, plant }) => [name, plant(lists)]));
    expect(planted.get("null instead of an empty list")).toEqual({
      rows: 2,
      columns: [{ name: "a", valid: "00", lengths: [null, null] }],
    });
    expect(planted.get("an empty list instead of null")).toEqual({
      rows: 2,
      columns: [{ name: "a", valid: "11", lengths: [0, 0] }],
    });
    const all = [...batchFaults, ...tensorFaults, ...conversionFaults, ...vectorFaults];
    const inRejections = all.filter(({ plant }) => plant({ error: "x" }) !== undefined);
    expect(inRejections.map(({ name }) => name)).toEqual([
      "a result for a record that should be rejected",
      "a result for a representation that should be rejected",
      "a result for a test vector that should be rejected",
    ]);
  });
});

describe("the canonical form of a vector", () => {
  test("rounds numbers to the type of their column, and omits members for human readers", () => {
    const array = { type: { list: "float32" }, values: [[0.1], null] };
    expect(canonicalVector({ array, examples_textproto: ["x"] })).toEqual({
      array: { type: { list: "float32" }, values: [[Math.fround(0.1)], null] },
    });
  });

  test("is the same for two encodings of one message", () => {
    // Both encode the same varlen_sparse_tensor, but the second sets column_name twice.
    const once = { tensor_representations: { t: { b64: "EgMKAXU=", textproto: "x" } } };
    const twice = { tensor_representations: { t: { b64: "EgYKAXYKAXU=" } } };
    expect(canonicalVector(once)).toEqual(canonicalVector(twice));
  });
});

describe("random cases", () => {
  test("are the same for the same seed", () => {
    expect(hostileBatches(1, 20, "sequence")).toEqual(hostileBatches(1, 20, "sequence"));
    expect(hostileBatches(1, 20, "example")).not.toEqual(hostileBatches(2, 20, "example"));
    expect(randomTensors(1, 20)).toEqual(randomTensors(1, 20));
  });

  test("are built from varints, tags and fields in the protobuf wire format", () => {
    expect(varint(300)).toEqual([0xac, 0x02]);
    expect(varint(-1n)).toEqual([...Array.from({ length: 9 }, () => 0xff), 0x01]);
    expect(overlongVarint(300n)).toEqual([0xac, 0x82, 0x00]);
    expect(tag(16, 2)).toEqual([0x82, 0x01]);
    expect(delimited(1, [7])).toEqual([0x0a, 1, 7]);
    expect(fixed32(0xff800001)).toEqual([1, 0, 0x80, 0xff]);
  });
});
