import type { Artifact, MetadataStore } from "@tfxio/artifacts";
import { type DeclareCommand, withExamples } from "../../command.js";
import { tableText } from "../../output/table.js";
import { artifactJson, propertyText } from "./artifact-json.js";
import { artifactById, type OpenedStore, useStore, withArtifact, withStore } from "./open-store.js";

/** Declares `tfxio artifacts show`. It prints an artifact with its events and contexts, as a table or as one JSON object. */
export const declareShow: DeclareCommand = (command, { stdout }) => {
  withExamples(
    withArtifact(withStore(command, "one object")),
    "tfxio artifacts show metadata.sqlite 3",
  ).action((file: string, id: number, { json }: { readonly json?: boolean }) =>
    useStore(file, "read", async (opened) => {
      const artifact = artifactById(opened.store, id);
      const text =
        json === true
          ? `${JSON.stringify({ ...artifactJson(artifact), ...surroundings(opened.store, id) })}\n`
          : tableText({ head: ["member", "value"], rows: rowsOf(artifact, opened) }, stdout);
      await stdout.write(text);
    }),
  );
};

/** Returns the events and contexts of an artifact, for JSON. Each event has the id of its execution. */
function surroundings(store: MetadataStore, id: number): { events: object[]; contexts: object[] } {
  return {
    events: store.events
      .ofArtifacts([id])
      .map(({ executionId, type, path }) => ({ type, executionId, path })),
    contexts: store.contexts.byArtifact(id).map((context) => ({
      id: context.id,
      type: context.type,
      name: context.name,
    })),
  };
}

/** Returns the rows of the table: members, properties, events and contexts. Omits members without a value. */
function rowsOf(artifact: Artifact, { store, library }: OpenedStore): readonly string[][] {
  const { id, type, typeVersion, state, name, externalId, uri, createTimeMs, lastUpdateTimeMs } = artifact;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["id", String(id)],
    ["type", typeVersion === undefined ? type : `${type}, version ${typeVersion}`],
    ["state", state],
    ["name", name],
    ["external id", externalId],
    ["uri", uri === "" ? undefined : uri],
    ["created", new Date(createTimeMs).toISOString()],
    ["updated", new Date(lastUpdateTimeMs).toISOString()],
    ...[artifact.properties, artifact.customProperties].flatMap((properties) =>
      Object.entries(properties).map(([key, value]) => [key, propertyText(value)] as const),
    ),
    ...eventRows(id, { store, library }),
    ...store.contexts
      .byArtifact(id)
      .map((context) => ["context", `${context.type} ${context.id} ${context.name}`] as const),
  ];
  return facts.flatMap(([member, value]) => (value === undefined ? [] : [[member, value]]));
}

/**
 * Returns one row per event. A row has two cells, such as `output` and `Trainer 4 COMPLETE, model.0`. A
 * `PENDING_OUTPUT` event is omitted if there is also an `OUTPUT` event.
 */
function eventRows(id: number, { store, library }: OpenedStore): readonly (readonly [string, string])[] {
  const events = store.events.ofArtifacts([id]);
  const isOutput = events.some(({ type }) => type === "OUTPUT");
  return events.flatMap(({ type, executionId, path }) => {
    if (type === "PENDING_OUTPUT" && isOutput) return [];
    const [execution] = store.executions.byId([executionId]);
    const label = execution === undefined ? `execution ${executionId}` : library.executionLabel(execution);
    return [[type.toLowerCase().replaceAll("_", " "), [label, path.join(".")].filter(Boolean).join(", ")]];
  });
}
