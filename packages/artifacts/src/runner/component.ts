import type { Artifact, ArtifactInput, NodeTypeInput } from "../store/entities.js";
import type { Properties, PropertyValue } from "../store/values/property-value.js";

/** Settings of a component by name. They are recorded, and part of the key by which earlier outputs are reused. */
export type Parameters = Readonly<Record<string, Exclude<PropertyValue, object>>>;

/** Input artifacts by channel. */
export type InputArtifacts = Readonly<Record<string, readonly Artifact[]>>;

/** Argument of {@link Component.run}. */
export interface ComponentContext {
  readonly inputs: InputArtifacts;
  readonly parameters: Parameters;
  /** One existing, empty folder for each output channel. */
  readonly outputs: Readonly<Record<string, { readonly uri: string }>>;
  readonly signal: AbortSignal | undefined;
}

/** Description of an output: its properties, and the URI of existing data if the component wrote none. */
export interface OutputArtifact {
  readonly uri?: string;
  readonly properties?: Properties;
  readonly customProperties?: Properties;
}

/** A step of a pipeline. It reads artifacts and creates one for each output channel. */
export interface Component {
  /** Name of its execution type. */
  readonly type: string;
  /** Type and required number of the artifacts in each input channel. Default: one or more. */
  readonly inputs: Readonly<Record<string, { readonly type: string; readonly count?: number }>>;
  /** Type of the artifact in each output channel. */
  readonly outputs: Readonly<Record<string, NodeTypeInput>>;
  /** Returns a digest of data that the parameters refer to, such as the content of a file. It is part of the key for reuse. */
  readonly contentKey?: (parameters: Parameters, inputs: InputArtifacts) => Promise<string> | string;
  /** Does the work. If it throws, the execution becomes FAILED. */
  readonly run: (
    context: ComponentContext,
  ) => Promise<Readonly<Record<string, OutputArtifact>>> | Readonly<Record<string, OutputArtifact>>;
}

/** An output artifact as it is stored. */
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
