/** Maximum length of quoted text, in UTF-16 code units. */
const MAX_TEXT = 40;
/** Maximum number of keys listed for an object. */
const MAX_KEYS = 4;

/**
 * Returns a short description of a value for an error message. Text is cut after 40 characters, and quoted so that `"1"` is not
 * mistaken for a number. A list is described by its length, a plain object by its first keys, and any other object by its
 * class. Never throws, not even for an object whose getters or proxy traps throw.
 */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value);
    case "bigint":
      return `${value}n`;
    case "function":
      return "a function";
    case "object":
      return value === null ? "null" : describeObject(value);
    default:
      return String(value);
  }
}

function describeObject(value: object): string {
  try {
    return describeReadable(value);
  } catch {
    return "an object that cannot be read";
  }
}

function describeReadable(value: object): string {
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of length ${value.length}`;
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  const name = tag === "Object" ? className(value) : tag;
  if (name !== "Object") return `${/^[AEIO]/.test(name) ? "an" : "a"} ${name}`;
  const keys = Object.keys(value);
  if (keys.length === 0) return "an empty object";
  const quoted = keys.slice(0, MAX_KEYS).map(describeValue);
  const shown = `${quoted.join(", ")}${keys.length > MAX_KEYS ? ", …" : ""}`;
  return `an object with the ${keys.length === 1 ? "key" : "keys"} ${shown}`;
}

function className(value: object): string {
  // The caller controls `constructor`: it may be a getter, a value that is not a function, or missing.
  const { constructor } = Object(Object.getPrototypeOf(value)) as { readonly constructor?: unknown };
  return typeof constructor === "function" && constructor.name !== "" ? constructor.name : "Object";
}
