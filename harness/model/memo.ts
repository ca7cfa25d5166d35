// Queries that many claims ask of the same record are answered once. A timeline never changes, so what
// was derived from it never does either; it is forgotten together with it.

/** @param derive pure */
export const memoized = <K extends object, V>(derive: (key: K) => V): ((key: K) => V) => {
  const known = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    let entry = known.get(key);
    if (!entry) {
      entry = { value: derive(key) };
      known.set(key, entry);
    }
    return entry.value;
  };
};
