import { unusableArgument } from "@tfxio/wire/checks";
import { EXAMPLES_TYPE } from "../examples/artifact-types.js";
import { DATA_VIEW_DIGEST, examplesOf, text } from "../examples/examples-of.js";
import type { Component } from "../runner/component.js";
import type { Artifact } from "../store/entities.js";
import type { Properties } from "../store/values/property-value.js";

/**
 * The component that binds a DataView to Examples of protobuf records. Its inputs `input_examples` and `data_view` take one
 * artifact each. Consumers should read the artifact in the output `output_examples`, which refers to both the data and the
 * view. If the Examples already have a view, the new view replaces it. Payload formats other than FORMAT_PROTO are rejected,
 * because their readers ignore the view. TFX accepts them.
 * @see `DataViewBinder` in `components/experimental/data_view` of TFX
 */
export const dataViewBinder: Component = {
  type: "DataViewBinder",
  inputs: { input_examples: { type: "Examples", count: 1 }, data_view: { type: "DataView", count: 1 } },
  outputs: { output_examples: EXAMPLES_TYPE },
  run: ({ inputs }) => {
    const [examples] = inputs["input_examples"] as [Artifact];
    const [view] = inputs["data_view"] as [Artifact];
    const { uri, properties } = examples;
    return { output_examples: { uri, properties, customProperties: boundProperties(examples, view) } };
  },
};

/**
 * Returns the custom properties of the bound Examples.
 * @throws {ArgumentError} `invalid-argument` (`payload-format`) if the payload format is not FORMAT_PROTO.
 */
function boundProperties(artifact: Artifact, view: Artifact): Properties {
  const { payloadFormat, neededUris } = examplesOf(artifact);
  if (payloadFormat !== "FORMAT_PROTO") {
    const found = payloadFormat ?? "no payload format";
    throw unusableArgument(
      "input_examples",
      `must have payload format FORMAT_PROTO, found ${found} at ${artifact.uri}`,
      {
        reason: "payload-format",
      },
    );
  }
  const digest = text(view, DATA_VIEW_DIGEST);
  // Drop the digest of a previously bound view, because it does not describe the new view.
  const { [DATA_VIEW_DIGEST]: _replaced, ...kept } = artifact.customProperties;
  return {
    ...kept,
    data_view_uri: view.uri,
    // TFX stores the time as text.
    data_view_create_time_since_epoch: String(view.createTimeMs),
    data_view_id: BigInt(view.id),
    ...(digest === undefined ? {} : { [DATA_VIEW_DIGEST]: digest }),
    gc_context: JSON.stringify({ v: 1, uris: [...new Set([...neededUris, view.uri])].sort() }),
  };
}
