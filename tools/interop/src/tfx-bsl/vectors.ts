import path from "node:path";
import { differenceOf } from "@tfxio-tools/conformance/difference";
import { anyCategory } from "@tfxio-tools/conformance/handler";
import { vectorsFolder } from "@tfxio-tools/conformance/main";
import { runCases } from "@tfxio-tools/conformance/run";
import { readCases, type VectorCase } from "@tfxio-tools/conformance/vector-file";
import type { Peer } from "./peer.js";
import type { Json, Question } from "./question.js";
import { canonicalVector } from "./vector-form.js";

/** The `source` of a case that has no expected results. Our code is compared only with tfx_bsl's answer. */
export const asked = "asked";

/** Asks tfx_bsl for its results on all test vectors in the folder `tfx-bsl`. Each vector and our code must agree with them. */
export async function vectorQuestions(peer: Peer): Promise<readonly Question[]> {
  const cases = readCases([path.join(vectorsFolder, "tfx-bsl")]);
  return vectorsAnswered(peer, cases);
}

/** Asks tfx_bsl for its results on cases that have the form of test vectors. The keys of `expect` name the results to return. */
export async function vectorsAnswered(
  peer: Peer,
  cases: readonly VectorCase[],
): Promise<readonly Question[]> {
  const questions = cases.map(({ group, op, name, body }) => ({
    group,
    op,
    name,
    input: body["input"],
    expect: body["expect"],
  }));
  const answers = await peer.ask("bsl_vectors.py", questions);
  return cases.map((vector, index) => ({
    what: `${vector.group}/${vector.name}`,
    theirs: answers[index] as Json,
    differenceTo: (theirs) => vectorDifference(vector, theirs),
    details: () => JSON.stringify(vector.body["input"]),
  }));
}

/**
 * Compares tfx_bsl's answer with the test vector, then with our answer, and describes the first difference. If the vector expects
 * an error, only tfx_bsl's error is checked: it must contain the vector's phrase. If the vector expects no error but tfx_bsl
 * rejects the input, our code must reject it too.
 */
async function vectorDifference(vector: VectorCase, theirs: Json): Promise<string | undefined> {
  const { expect_if_supported: _ifSupported, ...body } = vector.body;
  const expect = body["expect"] as Json;
  const expected = expect["error"] as { readonly phrase?: string } | undefined;
  const rejected = theirs["error"] as string | undefined;
  if (expected !== undefined) {
    if (rejected === undefined)
      return `the test vector expects an error, but tfx_bsl returns ${JSON.stringify(theirs)}`;
    const { phrase = "" } = expected;
    return rejected.includes(phrase)
      ? undefined
      : `tfx_bsl's error must contain "${phrase}", found ${rejected}`;
  }
  const isAsked = body["source"] === asked;
  if (!isAsked && rejected === undefined) {
    const difference = differenceOf(canonicalVector(withRoundTrip(expect, body)), canonicalVector(theirs));
    if (difference !== undefined) return `the test vector and tfx_bsl differ: ${difference}`;
  }
  const answer = rejected === undefined ? theirs : { error: { category: anyCategory } };
  for await (const { outcome } of runCases([{ ...vector, body: { ...body, expect: answer } }])) {
    if (outcome.status === "passed") return undefined;
    // If our code does not implement the operation, only the test vector is compared.
    if (outcome.status === "skipped") return isAsked ? outcome.reason : undefined;
    return rejected === undefined
      ? outcome.detail
      : `${outcome.detail}; tfx_bsl rejects the input: ${rejected}`;
  }
  throw new Error("a run of one case must have one result, found none");
}

/** Replaces `round_trip_identity` with the input tensors, because it means that the round trip must return them. */
function withRoundTrip(expect: Json, { input }: Json): Json {
  const { round_trip_identity: isIdentity, ...rest } = expect;
  return isIdentity === true ? { ...rest, round_trip_tensors: (input as Json)["tensors"] } : rest;
}
