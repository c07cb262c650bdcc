package io.holdfast.coordination.following;

import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.member.CoordinationReplica.Image;
import java.util.Optional;

/** The parts of a state that have come so far. Used by one actor. */
public final class ImageParts {

  /** The largest state there can be, and more. */
  static final int MAX_BYTES = 16 << 20;

  private long index = -1;
  private byte[] state = {};
  private int length;

  /**
   * Adds a part, unless it does not fit the earlier ones. Returns the state if it is complete now.
   */
  public Optional<Image> add(LogMessage.ImagePart part) {
    if (part.total() < 0 || part.total() > MAX_BYTES) {
      return Optional.empty();
    } else if (part.offset() == 0) {
      index = part.index();
      state = new byte[part.total()];
      length = 0;
    }
    boolean fits =
        part.index() == index
            && part.offset() == length
            && part.total() == state.length
            && part.bytes().size() <= state.length - length;
    if (!fits) {
      return Optional.empty();
    }
    System.arraycopy(part.bytes().array(), 0, state, length, part.bytes().size());
    length += part.bytes().size();
    return length == state.length && length > 0
        ? Optional.of(new Image(index, Bytes.of(state)))
        : Optional.empty();
  }
}
