package io.holdfast.bench.persist;

import akka.serialization.SerializerWithStringManifest;
import io.holdfast.bytes.Bytes;
import java.io.NotSerializableException;
import java.nio.ByteBuffer;

/** Writes and reads {@link Note}s and {@link Tally}s: a number, then the bytes. */
public final class NoteSerializer extends SerializerWithStringManifest {

  private static final String NOTE = "n";
  private static final String TALLY = "t";

  @Override
  public int identifier() {
    return 74_900;
  }

  @Override
  public String manifest(Object value) {
    return value instanceof Note ? NOTE : TALLY;
  }

  @Override
  public byte[] toBinary(Object value) {
    if (value instanceof Note note) {
      return ByteBuffer.allocate(Long.BYTES + note.bytes().size())
          .putLong(note.number())
          .put(note.bytes().array())
          .array();
    } else if (value instanceof Tally tally) {
      return ByteBuffer.allocate(Long.BYTES).putLong(tally.notes()).array();
    }
    throw new IllegalArgumentException("neither note nor tally: [" + value + "]");
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    long number = in.getLong();
    if (manifest.equals(TALLY)) {
      return new Tally(number);
    } else if (manifest.equals(NOTE)) {
      byte[] rest = new byte[in.remaining()];
      in.get(rest);
      return new Note(number, Bytes.of(rest));
    }
    throw new NotSerializableException("unknown manifest [" + manifest + "]");
  }
}
