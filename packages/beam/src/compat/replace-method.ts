/**
 * Replaces a method with the result of `make`. `make` receives the original method, which the new method can call as
 * `original.call(this, …)`.
 */
export function replaceMethod<Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  make: (original: Target[Name]) => Target[Name],
): void {
  target[name] = make(target[name]);
}
