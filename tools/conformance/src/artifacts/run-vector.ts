import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { openMetadataStore, planSweep, type PropertyValue, resolveExamples } from "@tfxio/artifacts";
import { isTfxioError } from "@tfxio/wire";
import Database from "libsql";
import { differenceOf } from "../difference.js";
import { categoryOf } from "../error-categories.js";
import { type Outcome, outcomeOf } from "../outcome.js";
import type { VectorCase } from "../vector-file.js";
import { type ArtifactJson, artifactOf } from "./artifact-of.js";

type Json = Readonly<Record<string, unknown>>;

/**
 * Resolves the reader for a list of Examples artifacts. Compares the result or the error with the expectation, and ignores
 * members of the result that the expectation lacks.
 */
export async function runResolverVector({ body }: VectorCase): Promise<Outcome> {
  const { examples, args, expect } = body as { examples: ArtifactJson[]; args: object; expect: Json };
  const error = expect["error"] as
    | { readonly code: string; readonly artifacts?: readonly string[] }
    | undefined;
  try {
    const { reader, dataViewUri, ...found } = resolveExamples(examples.map(artifactOf), args);
    const all: Json = { ...found, tfxio: reader, dataViewUri: dataViewUri ?? null };
    const members = Object.keys(expect).map((name) => [name, all[name]]);
    return outcomeOf(differenceOf(expect, Object.fromEntries(members)));
  } catch (caught) {
    if (!isTfxioError(caught) || error === undefined) throw caught;
    const { code, reason, message } = caught;
    const category = categoryOf("struct2tensor", { code, ...(reason && { reason }) }) ?? `${code}/${reason}`;
    const unnamed = error.artifacts?.find((uri) => !message.includes(uri));
    return outcomeOf(
      differenceOf(error.code, category) ??
        (unnamed === undefined ? undefined : `the message must name ${unnamed}, found ${message}`),
    );
  }
}

/**
 * Checks the decision of a garbage collection sweep for each URI, and which artifacts it deletes. If several reasons prevent
 * the deletion of a URI, the specification accepts any of them. The test vectors contain the reason that our code chooses.
 */
export async function runCollectionVector({ body }: VectorCase): Promise<Outcome> {
  const { artifacts, lockedByRunningExecutions, expect } = body as {
    artifacts: ArtifactJson[];
    lockedByRunningExecutions: number[];
    expect: { uris: Json; deletedArtifacts: number[] };
  };
  const decisions = planSweep({
    artifacts: artifacts.map(artifactOf),
    lockedIds: new Set(lockedByRunningExecutions),
    isManaged: () => true,
  });
  const found = {
    uris: Object.fromEntries(decisions.map(({ uri, reason }) => [uri, reason ?? "DELETE"])),
    deletedArtifacts: decisions
      .flatMap(({ action, ownerIds }) => (action === "delete" ? ownerIds : []))
      .toSorted((a, b) => a - b),
  };
  return outcomeOf(differenceOf(expect, found));
}

/** Checks which SQL column stores a property value, and the value in that column. */
export async function runStoredValueVector({ body }: VectorCase): Promise<Outcome> {
  const { value, expect } = body as { value: Json; expect: { column: string; stored: unknown } };
  const folder = await mkdtemp(path.join(tmpdir(), "tfxio-conformance-"));
  try {
    const store = await openMetadataStore(path.join(folder, "store.sqlite"), { access: "create" });
    store.types.put("artifact", { name: "T" });
    store.artifacts.put([{ type: "T", customProperties: { value: valueOf(value) } }]);
    store.close();
    const database = new Database(path.join(folder, "store.sqlite"));
    const row = database.prepare("SELECT * FROM ArtifactProperty").get([]) as Json;
    database.close();
    const columns = Object.entries(row).filter(
      ([name, content]) => name.endsWith("_value") && content !== null,
    );
    const found = columns.map(([column, stored]) => ({
      column,
      stored: column === "int_value" ? String(stored) : stored,
    }));
    return outcomeOf(differenceOf([expect], found));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Converts a property value from the notation of the test vectors, which is proto JSON except for `proto_value`. */
function valueOf(value: Json): PropertyValue {
  const [[kind, content] = []] = Object.entries(value);
  if (kind === "int_value") return BigInt(content as string);
  if (kind === "struct_value") return { struct: content as Record<string, never> };
  if (kind !== "proto_value") return content as string | number | boolean;
  const { typeUrl, valueB64 } = content as { readonly typeUrl: string; readonly valueB64: string };
  return { proto: { typeUrl, value: new Uint8Array(Buffer.from(valueB64, "base64")) } };
}
