import "@tensorflow/tfjs-backend-cpu";
import * as tf from "@tensorflow/tfjs-core";
import { RaggedTensor, SparseTensor } from "@tfxio/tensor-adapter";
import { openTfxio } from "tfxio";

/** The members of a drop event that the page needs. The full DOM types would declare their globals in the whole repository. */
interface DropEvent {
  readonly dataTransfer: { readonly files: Iterable<File> } | null;
  preventDefault(): void;
}
declare const document: {
  readonly body: {
    appendChild(child: { textContent: string }): { textContent: string };
    addEventListener(type: "dragover" | "drop", listener: (event: DropEvent) => void): void;
  };
  createElement(name: "pre"): { textContent: string };
};

/** Makes the page read the files that a user drops onto it, and show their tensors as text. Runs in a browser. */
export async function showDrops(): Promise<void> {
  await tf.setBackend("cpu");
  const report = document.body.appendChild(document.createElement("pre"));
  const show = (line: string): void => {
    report.textContent += `${line}\n`;
  };
  show("Drop files here.");
  document.body.addEventListener("dragover", (event) => event.preventDefault());
  document.body.addEventListener("drop", (event) => {
    event.preventDefault();
    void showFiles([...(event.dataTransfer?.files ?? [])], show);
  });
}

async function showFiles(files: readonly File[], show: (line: string) => void): Promise<void> {
  for (const file of files) {
    try {
      await showTensors(file, show);
    } catch (error) {
      show(error instanceof Error ? error.message : String(error));
    }
    show(`${file.name} is done; ${tf.memory().numTensors} tensors are left.`);
  }
}

async function showTensors(file: File, show: (line: string) => void): Promise<void> {
  const tfxio = await openTfxio(file, { inferSchema: "full" });
  for await (const batch of tfxio.recordBatches()) {
    show(`${file.name}: ${batch.numRows} rows`);
    for (const [name, tensor] of Object.entries(tfxio.tensorAdapter().toTensors(batch, { tf }))) {
      show(`${name}: ${await described(tensor)}`);
      tensor.dispose();
    }
  }
}

async function described(tensor: tf.Tensor | SparseTensor | RaggedTensor): Promise<string> {
  if (tensor instanceof RaggedTensor) {
    const splits = await Promise.all(tensor.nestedRowSplits.map(valuesOf));
    return `ragged, ${await described(tensor.values)}, row splits ${splits.join("; ")}`;
  }
  if (tensor instanceof SparseTensor) {
    const indices = await valuesOf(tensor.indices);
    return `sparse [${tensor.denseShape.join()}], ${await described(tensor.values)}, indices ${indices}`;
  }
  return `${tensor.dtype} [${tensor.shape.join()}] ${await valuesOf(tensor)}`;
}

async function valuesOf(tensor: tf.Tensor): Promise<string> {
  return [...(await tensor.data<tf.DataType>())].join(" ");
}
