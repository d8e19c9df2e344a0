/**
 * Returns a function that calls `make` on its first call and returns the same promise from later calls. After a rejection, the
 * next call runs `make` again.
 */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
