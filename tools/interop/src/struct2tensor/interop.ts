import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { differenceOf } from "@tfxio-tools/conformance/difference";
import { Random } from "@tfxio/wire";
import type { Interop } from "../interop.js";
import { pythonWith } from "../python.js";
import { createListedDifferences } from "../tfx-bsl/listed-differences.js";
import { createPeer } from "../tfx-bsl/peer.js";
import { reportPlanted } from "../tfx-bsl/planted/planted-fault.js";
import { type Json, type Question, reportTogether } from "../tfx-bsl/question.js";
import { knownDifferences } from "./known-differences.js";
import { type Answer, ourAnswer } from "./our-answer.js";
import { plantedFaults } from "./planted-faults.js";
import { type QueryCase, randomCase, randomSchemas } from "./random-case.js";
import { allOperators } from "./random-query.js";

/** Seed of all random cases. A different seed produces different cases. */
const seed = 1;
const defaultQueries = 500;
const numSchemas = 100;

/** Runs random queries over the same bytes with our code and with struct2tensor, and compares the results. */
export const struct2tensor: Interop = {
  name: "struct2tensor",
  about: "compares the results of random queries over random messages with those of struct2tensor",
  run: async (context) => {
    const { report, environment } = context;
    const python = await pythonWith("struct2tensor", context);
    const folder = await mkdtemp(path.join(tmpdir(), "tfxio-interop-"));
    try {
      const cases = randomCases(Number(environment["TFXIO_FUZZ_RECORDS"] ?? defaultQueries));
      const ours = await Promise.all(cases.map(ourAnswer));
      const asked = cases.map((each, index) => questionOf(each, isMisaligned(ours[index]!)));
      const answers = await createPeer(python, folder).ask("s2t_answers.py", asked);
      const listed = createListedDifferences(knownDifferences);
      const questions = cases.map((each, index) => compare(each, index, ours[index]!, answers[index]!));
      await reportTogether("queries", questions, listed, report);
      await reportPlanted("queries", plantedFaults, questions, report);
      listed.reportSeen(report);
      await report.check("every operator is drawn, and most queries return fields", () =>
        assertVaried(cases, ours),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

function randomCases(count: number): readonly QueryCase[] {
  const schemas = randomSchemas(seed, numSchemas);
  return Array.from({ length: count }, (_, index) => randomCase(Random.of(seed + 1, index), schemas));
}

/**
 * Returns true if we rejected a query because the parents of its fields differ. struct2tensor accepts such fields, so
 * `s2t_answers.py` must report only whether the parents are the same, and no results.
 */
function isMisaligned(ours: Answer): boolean {
  return "error" in ours && ours.error === "shape-mismatch/expression-shape";
}

function questionOf({ type, records, query, paths }: QueryCase, checksAlignment: boolean): Json {
  const encoded = records.map((record) => Buffer.from(record).toString("base64"));
  return { query, paths, records: encoded, ...type, checksAlignment };
}

function compare(each: QueryCase, index: number, ours: Answer, theirs: Json): Question {
  return {
    what: `query ${index}`,
    theirs,
    differenceTo: (answer) => {
      if ("error" in ours && ("error" in answer || answer["isAligned"] === false)) return undefined;
      if ("error" in ours) return `we reject the query (${ours.error}), but struct2tensor accepts it`;
      if ("error" in answer)
        return `struct2tensor rejects the query (${String(answer["error"])}), but we accept it`;
      return differenceOf(answer, ours);
    },
    details: () => JSON.stringify(questionOf(each, false)),
  };
}

/** Throws if an operator was never drawn, or if we reject more than a tenth of the queries. */
function assertVaried(cases: readonly QueryCase[], answers: readonly Answer[]): void {
  const drawn = new Set(cases.flatMap(({ query }) => query.map(({ op }) => op)));
  const missing = allOperators.filter((op) => !drawn.has(op));
  if (missing.length > 0) throw new Error(`every operator must be drawn, found no ${missing.join(", ")}`);
  const numRejected = answers.filter((answer) => "error" in answer).length;
  if (numRejected > cases.length / 10)
    throw new Error(
      `we must accept at least 90 % of the queries, but we reject ${numRejected} of ${cases.length}`,
    );
}
