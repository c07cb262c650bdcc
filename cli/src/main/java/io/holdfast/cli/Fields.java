package io.holdfast.cli;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The fields of one JSON object, in the order they were told. Their names are a promise. */
final class Fields {

  private final Map<String, Object> all = new LinkedHashMap<>();

  static Fields of(String name, Object value) {
    return new Fields().and(name, value);
  }

  Fields and(String name, Object value) {
    all.put(name, value);
    return this;
  }

  /** A field that is left out if there is nothing to tell. */
  Fields andIf(boolean isTold, String name, Object value) {
    return isTold ? and(name, value) : this;
  }

  Map<String, Object> all() {
    return Collections.unmodifiableMap(all);
  }
}
