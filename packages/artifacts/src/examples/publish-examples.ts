import { assertNotBeingDeleted } from "../collection/intents.js";
import type { Artifact } from "../store/entities.js";
import type { MetadataStore } from "../store/metadata-store.js";
import { EXAMPLES_TYPE, ensureArtifactType } from "./artifact-types.js";
import { type ExamplesDescription, examplesInput } from "./examples-input.js";

/**
 * Publishes existing data as an artifact without an execution, such as data that was written elsewhere or imported.
 * @throws {ArgumentError} `invalid-argument`
 * @throws {SourceError} `io-failed` (`being-deleted`) if a collection is deleting the URI.
 */
export function publishExamples(store: MetadataStore, description: ExamplesDescription): Artifact {
  const input = examplesInput(description);
  return store.transaction(() => {
    assertNotBeingDeleted(store, [description.uri]);
    ensureArtifactType(store, EXAMPLES_TYPE);
    return store.artifacts.byId(store.artifacts.put([input]))[0] as Artifact;
  });
}
