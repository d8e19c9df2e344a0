/** Replaces a method. `make` receives the original and calls it as `original.call(this, …)`. */
export function replaceMethod<Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  make: (original: Target[Name]) => Target[Name],
): void {
  target[name] = make(target[name]);
}
