import { writeFile } from "node:fs/promises";
import path from "node:path";
import {
  type Artifact,
  dataViewBinder,
  type MetadataStore,
  openMetadataStore,
  publishExamples,
  resolveExamples,
} from "@tfxio/artifacts";
import { isTfxioError } from "@tfxio/wire/errors";
import { assertSame } from "../assert-same.js";
import type { InteropContext } from "../interop.js";
import { pythonWith, runPython } from "../python.js";
import { seeded } from "../seeded.js";
import { compareLatest } from "./tfx-latest.js";
import { randomCases, randomExamples, type TfxCase } from "./tfx-cases.js";

const EXAMPLES = 240;
const CASES = 2000;

/** Reasons for which we reject inputs that TFX accepts, with TFX's behaviour. A check fails if a reason no longer occurs. */
const STRICTER: Readonly<Record<string, string>> = {
  "raw-records":
    "TFX reads Parquet files as TFRecords when raw records are requested, and ignores a raw column",
  "file-format":
    "TFX reads Parquet files as TFRecords, or the reverse, when the payload and file formats disagree",
};

/** TFX's answer to a case. `rejected` is the error if TFX rejects the case. */
interface TfxAnswer {
  readonly rejected?: string;
  readonly reader?: string;
  readonly patterns?: readonly string[];
  readonly view?: string | null;
  readonly rawColumn?: string | null;
}

/** Compares TFX's `tfxio_utils`, `artifact_utils`, DataViewBinder and resolvers with our code on artifacts of one store. */
export async function checkAgainstTfx(context: InteropContext, folder: string): Promise<void> {
  const { check } = context.report;
  const file = path.join(folder, "tfx.sqlite");
  const peer = async (...args: readonly string[]): Promise<unknown> =>
    runPython(await pythonWith("tfx", context), "tfx_peer.py", args);
  const store = await openMetadataStore(file, { access: "create" });
  try {
    // This call registers the type Examples. The cases also include the artifact that it publishes.
    const own = publishExamples(store, { uri: "/own", splitNames: ["train", "eval"] });
    store.types.put("artifact", { name: "DataView" });
    const ids = store.artifacts.put(randomExamples(seeded(3), EXAMPLES));
    const artifacts = [own, ...store.artifacts.byId(ids)];
    await check(`resolveExamples and TFX resolve ${CASES} lists of Examples in the same way`, async () =>
      compareResolvers(artifacts, folder, (cases) => peer("resolve", file, cases)),
    );
    await check("TFX's DataViewBinder writes the same properties as ours", async () =>
      compareBinders(store, own, (examples, view) => peer("bind", file, examples, view)),
    );
    await check("policies keep the Examples that TFX's LatestCreateTime and LatestSpan choose", async () =>
      compareLatest(store, (counts) => peer("latest", file, counts)),
    );
    await check("the artifact types Examples and DataView in our store equal those of TFX", async () => {
      const types = ["Examples", "DataView"].map((name) => {
        const { properties, baseType } = store.types.get("artifact", name) ?? {};
        const base = baseType === undefined ? {} : { base_type: baseType.replace("mlmd.", "").toUpperCase() };
        const hasProperties = Object.keys(properties ?? {}).length > 0;
        return { name, ...(hasProperties ? { properties } : {}), ...base };
      });
      assertSame(await peer("types"), types);
    });
  } finally {
    store.close();
  }
}

/** Compares answers to random cases. They may differ only for the reasons in {@link STRICTER}, each of which must occur. */
async function compareResolvers(
  artifacts: readonly Artifact[],
  folder: string,
  resolve: (cases: string) => Promise<unknown>,
): Promise<void> {
  const described = artifacts.map(({ id, customProperties }) => ({
    id,
    payload: customProperties["payload_format"] as string | undefined,
  }));
  const cases = randomCases(seeded(5), described, CASES);
  const casesFile = path.join(folder, "tfx-cases.json");
  await writeFile(casesFile, JSON.stringify(cases));
  const theirs = (await resolve(casesFile)) as readonly TfxAnswer[];
  const byId = new Map(artifacts.map((artifact) => [artifact.id, artifact]));
  const seen = new Set<string>();
  let numAnswered = 0;
  for (const [index, item] of cases.entries()) {
    const ours = resolved(item, byId);
    const expected = theirs[index] ?? {};
    if (typeof ours !== "string") numAnswered += 1;
    if (typeof ours !== "string" || expected.rejected !== undefined) {
      const [found, wanted] = typeof ours === "string" ? ["rejected", "rejected"] : [ours, expected];
      assertSame({ item, answer: wanted }, { item, answer: found });
    } else {
      if (!Object.hasOwn(STRICTER, ours))
        throw new Error(`we reject (${ours}) what TFX accepts: ${JSON.stringify(item)}`);
      seen.add(ours);
    }
  }
  const unseen = Object.keys(STRICTER).filter((reason) => !seen.has(reason));
  if (unseen.length > 0)
    throw new Error(`every known difference must occur, found none for ${unseen.join(", ")}`);
  if (numAnswered < CASES / 4)
    throw new Error(`at least ${CASES / 4} cases must have an answer, found ${numAnswered}`);
}

/** Returns our answer in the form of TFX's. If we reject the case, returns the error's reason, or its code if it has none. */
function resolved(
  { ids, split, readAsRaw, rawColumn }: TfxCase,
  byId: ReadonlyMap<number, Artifact>,
): TfxAnswer | string {
  try {
    const { reader, filePatterns, dataViewUri, rawRecordColumnName } = resolveExamples(
      ids.map((id) => byId.get(id) as Artifact),
      { splits: [split], readAsRawRecords: readAsRaw, rawRecordColumnName: rawColumn ?? undefined },
    );
    return {
      reader,
      patterns: filePatterns,
      view: reader === "TFRecordToTensor" ? (dataViewUri ?? null) : null,
      rawColumn: rawRecordColumnName ?? null,
    };
  } catch (error) {
    if (!isTfxioError(error)) throw error;
    return error.reason ?? error.code;
  }
}

/** Compares the artifacts of both DataViewBinders, without the properties that only ours writes. */
async function compareBinders(
  store: MetadataStore,
  own: Artifact,
  bind: (examples: string, view: string) => Promise<unknown>,
): Promise<void> {
  const customProperties = {
    ...own.customProperties,
    payload_format: "FORMAT_PROTO",
    note: "kept",
    rows: 3n,
  };
  const ids = store.artifacts.put([
    { type: "Examples", uri: "/proto", state: "LIVE", properties: own.properties, customProperties },
    { type: "DataView", uri: "/views/9", state: "LIVE" },
  ]);
  const [examples, view] = store.artifacts.byId(ids) as [Artifact, Artifact];
  const made = await dataViewBinder.run({
    inputs: { input_examples: [examples], data_view: [view] },
    parameters: {},
    outputs: {},
    signal: undefined,
  });
  const { uri, properties = {}, customProperties: bound = {} } = made["output_examples"] ?? {};
  const { data_view_id: _id, data_view_digest: _digest, gc_context: _context, ...shared } = bound;
  const valuesOf = (values: object): object =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === "bigint" ? { int_value: String(value) } : { string_value: value },
      ]),
    );
  assertSame(await bind(String(examples.id), String(view.id)), {
    uri,
    properties: valuesOf(properties),
    custom_properties: valuesOf(shared),
  });
}
