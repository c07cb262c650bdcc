package io.holdfast.config.member;

import java.util.List;

/** The settings cannot be used. Says everything that is wrong with them, not only the first. */
public final class InvalidSettings extends Exception {

  private static final long serialVersionUID = 1;

  private final transient List<String> faults;

  public InvalidSettings(List<String> faults) {
    super(String.join("; ", faults));
    this.faults = List.copyOf(faults);
  }

  /** One sentence for each fault. */
  public List<String> faults() {
    return faults;
  }
}
