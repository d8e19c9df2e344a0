import type { Artifact, ArtifactInput, NodeTypeInput } from "../store/entities.js";
import type { Properties, PropertyValue } from "../store/values/property-value.js";

/** A component's settings, by name. They become custom properties of the execution and are part of the cache key. */
export type Parameters = Readonly<Record<string, Exclude<PropertyValue, object>>>;

/** Input artifacts by channel. */
export type InputArtifacts = Readonly<Record<string, readonly Artifact[]>>;

/** Argument of {@link Component.run}. */
export interface ComponentContext {
  readonly inputs: InputArtifacts;
  readonly parameters: Parameters;
  /** One folder for each output channel. The folders exist before `run` is called. */
  readonly outputs: Readonly<Record<string, { readonly uri: string }>>;
  readonly signal: AbortSignal | undefined;
}

/** The description of an output artifact. Set `uri` only if the data is not in the folder that the runner created. */
export interface OutputArtifact {
  readonly uri?: string;
  readonly properties?: Properties;
  readonly customProperties?: Properties;
}

/** A step of a pipeline. It reads artifacts and creates one artifact per output channel. */
export interface Component {
  /** Name of the component's execution type. It is also the default name of the step. */
  readonly type: string;
  /** Type and exact number of the artifacts in each input channel. Without `count`, a channel takes one or more artifacts. */
  readonly inputs: Readonly<Record<string, { readonly type: string; readonly count?: number }>>;
  /** Type of the artifact in each output channel. */
  readonly outputs: Readonly<Record<string, NodeTypeInput>>;
  /** Returns text that becomes part of the cache key, such as the digest of a file that a parameter names. Default: "". */
  readonly contentKey?: (parameters: Parameters, inputs: InputArtifacts) => Promise<string> | string;
  /**
   * Does the work, and returns a description of the artifact in each output channel. If it throws, the execution becomes
   * FAILED, or CANCELED if `signal` has aborted.
   */
  readonly run: (
    context: ComponentContext,
  ) => Promise<Readonly<Record<string, OutputArtifact>>> | Readonly<Record<string, OutputArtifact>>;
}

/** Returns an output artifact in the form that `artifacts.put` accepts. */
export function outputInput(
  type: NodeTypeInput,
  uri: string,
  { properties, customProperties }: OutputArtifact,
): ArtifactInput {
  return {
    type: type.name,
    ...(type.version === undefined ? {} : { typeVersion: type.version }),
    uri,
    properties: properties ?? {},
    customProperties: customProperties ?? {},
  };
}
