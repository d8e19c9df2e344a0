import type { Artifact, ArtifactInput, NodeTypeInput } from "../store/entities.js";
import type { Properties, PropertyValue } from "../store/values/property-value.js";

/** Settings of a component, by name; they are recorded, and decide whether an earlier run can be reused. */
export type Parameters = Readonly<Record<string, Exclude<PropertyValue, object>>>;

/** Input artifacts by channel. */
export type InputArtifacts = Readonly<Record<string, readonly Artifact[]>>;

/** What a component gets to work with. */
export interface ComponentContext {
  readonly inputs: InputArtifacts;
  readonly parameters: Parameters;
  /** A folder of its own for each output channel, which exists. */
  readonly outputs: Readonly<Record<string, { readonly uri: string }>>;
  readonly signal: AbortSignal | undefined;
}

/** What a component says about an output: its properties, and another URI when it made no bytes of its own. */
export interface OutputArtifact {
  readonly uri?: string;
  readonly properties?: Properties;
  readonly customProperties?: Properties;
}

/** A step of a pipeline: it reads artifacts and makes one for each output channel. */
export interface Component {
  /** Name of its execution type. */
  readonly type: string;
  /** Type of the artifacts in each input channel, and how many there must be; default one or more. */
  readonly inputs: Readonly<Record<string, { readonly type: string; readonly count?: number }>>;
  /** Type of the artifact in each output channel. */
  readonly outputs: Readonly<Record<string, NodeTypeInput>>;
  /** A digest of what the parameters stand for, such as the content of a file; part of what decides about reuse. */
  readonly contentKey?: (parameters: Parameters, inputs: InputArtifacts) => Promise<string> | string;
  /** Does the work. What it throws makes the execution FAILED. */
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
