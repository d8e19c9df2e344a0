import { assertNotBeingDeleted } from "../collection/intents.js";
import type { Artifact } from "../store/entities.js";
import type { MetadataStore } from "../store/metadata-store.js";
import { EXAMPLES_TYPE, ensureArtifactType } from "./artifact-types.js";
import { type ExamplesDescription, examplesInput } from "./examples-input.js";

/**
 * Publishes existing data as an artifact without an execution, and returns the artifact. Use it for data that another program
 * wrote. The data is neither read nor checked.
 * @throws {ArgumentError} `invalid-argument` for an invalid description; `invalid-argument` (`already-exists`) for a name that
 * another artifact of type Examples has.
 * @throws {SourceError} `io-failed` (`being-deleted`) if a sweep is deleting the URI, something inside it, or a folder that
 * contains it.
 */
export function publishExamples(store: MetadataStore, description: ExamplesDescription): Artifact {
  const input = examplesInput("publishExamples", description);
  return store.transaction(() => {
    assertNotBeingDeleted(store, [description.uri]);
    ensureArtifactType(store, EXAMPLES_TYPE);
    return store.artifacts.byId(store.artifacts.put([input]))[0] as Artifact;
  });
}
