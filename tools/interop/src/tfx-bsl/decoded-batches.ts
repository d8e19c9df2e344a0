import { writeFile } from "node:fs/promises";
import path from "node:path";
import { canonicalTensor, type TensorJson } from "@tfxio-tools/conformance/values/tensor";
import { type RecordBatch, Table, tableToIPC } from "apache-arrow";
import { answerDifference } from "./answers.js";
import type { Peer } from "./peer.js";
import type { Json, Question } from "./question.js";

/** Our result for records that tfx_bsl must also decode. */
export interface OurBatch {
  readonly what: string;
  /** The input of `bsl_decode.py`. It contains records or the path of a file, and the schema if there is one. */
  readonly job: Json;
  /** Our batch, `{ error }` if we reject the records, or another plain value to compare. */
  readonly decoded: RecordBatch | Json;
  /** The records that our encoder returns for the batch, or `{ error }`; absent if the encoder is not compared. */
  readonly encoded?: readonly Uint8Array[] | Json;
  /** Our tensors in the notation of test vectors, or `{ error }`; absent if tensors are not compared. */
  readonly tensors?: Json;
  readonly details?: () => string;
}

/** The comparisons of decoded records, by kind. */
export interface DecodedQuestions {
  readonly batches: readonly Question[];
  /** Results of pyarrow's validation of the Arrow IPC that we write. */
  readonly faults: readonly Question[];
  readonly encoded: readonly Question[];
  readonly tensors: readonly Question[];
}

function isRecordBatch(decoded: RecordBatch | Json): decoded is RecordBatch {
  return "numRows" in decoded;
}

function isRecords(encoded: OurBatch["encoded"]): encoded is readonly Uint8Array[] {
  return Array.isArray(encoded);
}

/** Returns the job for `bsl_decode.py`. If our result is a batch, it is written to `file`. */
async function jobOf(our: OurBatch, file: string): Promise<Json> {
  const { job, decoded, encoded, tensors } = our;
  if (!isRecordBatch(decoded)) return job;
  await writeFile(file, tableToIPC(new Table([decoded]), "stream"));
  return {
    ...job,
    ours: file,
    ...(encoded !== undefined && {
      encoded: isRecords(encoded) ? encoded.map((each) => Buffer.from(each).toString("base64")) : [],
    }),
    ...(tensors !== undefined && { tensors: true }),
  };
}

/** Lets tfx_bsl decode the records of `ours`, and returns the comparisons. Our batches are passed unchanged, as Arrow IPC. */
export async function decodedQuestions(peer: Peer, ours: readonly OurBatch[]): Promise<DecodedQuestions> {
  const jobs: Json[] = [];
  for (const our of ours) jobs.push(await jobOf(our, path.join(peer.folder, `ours-${jobs.length}.arrows`)));
  const answers = await peer.ask("bsl_decode.py", jobs);
  const found = { batches: [], faults: [], encoded: [], tensors: [] } as {
    [Kind in keyof DecodedQuestions]: Question[];
  };
  for (const [index, our] of ours.entries()) {
    const answer = answers[index] as Json;
    const common = { what: our.what, details: our.details };
    const add = (kind: keyof DecodedQuestions, theirs: Json, mine: Json): void => {
      found[kind].push({
        ...common,
        theirs,
        differenceTo: (each) => answerDifference(each, mine),
      });
    };
    const theirBatch = answer["theirs"] as Json;
    if (!isRecordBatch(our.decoded)) {
      add("batches", theirBatch, our.decoded);
      continue;
    }
    add("batches", theirBatch, answer["ours"] as Json);
    add("faults", { fault: null }, { fault: answer["fault"] });
    if (our.encoded !== undefined) {
      const encoded = answer["encoded"] as Readonly<Record<"ours" | "theirs", Json>>;
      const theirs = Array.isArray(encoded.theirs) ? { records: encoded.theirs } : encoded.theirs;
      add("encoded", theirs, isRecords(our.encoded) ? { records: encoded.ours } : our.encoded);
    }
    if (our.tensors !== undefined && answer["tensors"] !== undefined) {
      found.tensors.push({
        ...common,
        theirs: answer["tensors"] as Json,
        differenceTo: (each) => answerDifference(canonicalTensors(each), our.tensors as Json),
      });
    }
  }
  return found;
}

function canonicalTensors(answer: Json): Json {
  if ("error" in answer) return answer;
  const tensors = Object.entries(answer as Readonly<Record<string, TensorJson>>);
  return Object.fromEntries(tensors.map(([name, tensor]) => [name, canonicalTensor(tensor)]));
}
