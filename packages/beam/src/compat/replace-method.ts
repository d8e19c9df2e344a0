/** Replaces a method. `make` gets the original, which it calls with `original.call(this, …)`. */
export function replaceMethod<Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  make: (original: Target[Name]) => Target[Name],
): void {
  target[name] = make(target[name]);
}
