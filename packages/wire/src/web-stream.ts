/**
 * The chunks of a web stream, without empty ones. Leaving the loop cancels the stream.
 * Not `for await` over the stream itself, which some browsers do not know.
 */
export async function* streamChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader();
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        isDone = true;
        return;
      }
      if (value.length > 0) yield value;
    }
  } finally {
    // Rejects when the stream has failed; that error is on its way already.
    if (!isDone) await reader.cancel().catch(() => {});
  }
}
