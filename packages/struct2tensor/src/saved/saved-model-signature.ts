import type { Json } from "../expression/json.js";
import { listIn, membersIn, readJsonFile, textIn } from "./read-json.js";
import { MAX_OUTPUTS, SIGNATURE_FILE } from "./outputs.js";
import { arrowSchemaText, converterOf, representationJson, specJson } from "./signature.js";
import type { SavedModelOutput, SavedModelView, SavedModelViewOptions } from "./saved-model-view.js";

/**
 * Returns the content of `signature.json` for a SavedModel: the id of the model; for each tensor, its model outputs, its spec and
 * its representation; the name of the record index; and the Arrow schema.
 */
export function modelSignatureJson({ model, outputs, recordIndex }: SavedModelView): Json {
  const converter = converterOf(outputs);
  return {
    model: model.id,
    outputs: outputs.map(({ name, spec, ...output }) => ({
      name,
      output: partsOf(output) as unknown as Json,
      spec: specJson(spec),
      tensorRepresentation: representationJson(converter, name),
    })),
    recordIndex: recordIndex ?? null,
    arrowSchema: arrowSchemaText(converter),
  };
}

/** Returns the form of an output's tensor, and the names of the model outputs that make it up. */
function partsOf(output: SavedModelOutput): SavedModelOutput {
  switch (output.view) {
    case "dense":
      return { view: "dense", tensor: output.tensor };
    case "ragged":
      return { view: "ragged", values: output.values, rowSplits: [...output.rowSplits] };
    case "sparse":
      return {
        view: "sparse",
        indices: output.indices,
        values: output.values,
        denseShape: output.denseShape,
      };
  }
}

/**
 * Reads the view's options from an untrusted `signature.json`. The caller must check them, and compare the resulting view with
 * the file.
 * @throws {RecordError} `malformed-payload`: `data-view`, `data-view-size`.
 */
export function readModelSignature(bytes: Uint8Array): SavedModelViewOptions & { readonly model: string } {
  const signature = membersIn(SIGNATURE_FILE, "the signature", readJsonFile(SIGNATURE_FILE, bytes), [
    "model",
    "outputs",
    "recordIndex",
    "arrowSchema",
  ]);
  const outputs: Record<string, SavedModelOutput> = {};
  for (const [index, json] of listIn(SIGNATURE_FILE, "outputs", signature.outputs, MAX_OUTPUTS).entries()) {
    const what = `outputs[${index}]`;
    const { name, output } = membersIn(SIGNATURE_FILE, what, json, [
      "name",
      "output",
      "spec",
      "tensorRepresentation",
    ]);
    Object.defineProperty(outputs, textIn(SIGNATURE_FILE, `${what}.name`, name), {
      value: output,
      enumerable: true,
      configurable: true,
    });
  }
  const { recordIndex } = signature;
  return {
    model: textIn(SIGNATURE_FILE, "model", signature.model),
    outputs,
    recordIndex: recordIndex === null ? undefined : textIn(SIGNATURE_FILE, "recordIndex", recordIndex),
  };
}
