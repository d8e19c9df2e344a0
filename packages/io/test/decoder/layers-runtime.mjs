/** Returns the runtime with which worker threads load models: TensorFlow.js on the CPU. */
export async function models() {
  const tf = await import("@tensorflow/tfjs-core");
  await import("@tensorflow/tfjs-backend-cpu");
  await tf.setBackend("cpu");
  const { loadLayersModel } = await import("@tensorflow/tfjs-layers");
  return { tf, loadLayersModel, url: import.meta.url };
}
