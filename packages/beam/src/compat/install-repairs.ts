import type { Repair } from "./repair.js";
import { loadSdk } from "#sdk";
import type { Sdk } from "./sdk.js";
import { answerArtifactTrailers } from "./repairs/answer-artifact-trailers.js";
import { answerLateRequests } from "./repairs/answer-late-requests.js";
import { awaitImpulse } from "./repairs/await-impulse.js";
import { connectClients } from "./repairs/connect-clients.js";
import { dateGroups } from "./repairs/date-groups.js";
import { decodeSideInputsOnce } from "./repairs/decode-side-inputs-once.js";
import { deliverDataInOrder } from "./repairs/deliver-data-in-order.js";
import { encodeDistributions } from "./repairs/encode-distributions.js";
import { encodeVarints } from "./repairs/encode-varints.js";
import { failOnBrokenStreams } from "./repairs/fail-on-broken-streams.js";
import { handleInstructions } from "./repairs/handle-instructions.js";
import { labelMetrics } from "./repairs/label-metrics.js";
import { processAsync } from "./repairs/process-async.js";
import { readUnknownFields } from "./repairs/read-unknown-fields.js";
import { resetMetrics } from "./repairs/reset-metrics.js";
import { sendOnce } from "./repairs/send-once.js";
import { surviveFailedSources } from "./repairs/survive-failed-sources.js";

/** All repairs by name, in the order in which they are applied. */
export const repairs: Readonly<Record<string, Repair>> = {
  answerArtifactTrailers,
  answerLateRequests,
  awaitImpulse,
  connectClients,
  dateGroups,
  decodeSideInputsOnce,
  deliverDataInOrder,
  encodeDistributions,
  encodeVarints,
  failOnBrokenStreams,
  handleInstructions,
  labelMetrics,
  processAsync,
  readUnknownFields,
  resetMetrics,
  sendOnce,
  surviveFailedSources,
};

// A global symbol, because several installed copies of this package can share one SDK.
const REPAIRED = Symbol.for("@tfxio/beam repaired");

/**
 * Loads Beam's SDK and repairs it in place. Later calls return the repaired SDK.
 * @throws {UnsupportedError} `unsupported` (`beam-sdk`) in browsers, and if the SDK is missing or has an unsupported version.
 */
export function installRepairs(): Sdk {
  const sdk = loadSdk();
  const marked = sdk.worker.Worker as { [REPAIRED]?: boolean };
  if (marked[REPAIRED] !== true) {
    for (const repair of Object.values(repairs)) repair.apply(sdk);
    marked[REPAIRED] = true;
  }
  return sdk;
}
