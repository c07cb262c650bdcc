package holdfast.journal.state;

import java.nio.ByteBuffer;

/** Who made a request, and how long its outcome is kept. */
public sealed interface Client {

  /** A client whose outcomes are kept until it no longer waits for them, or its lease ended. */
  record Session(LeaseRef lease) implements Client {

    @Override
    public byte[] key() {
      return ByteBuffer.allocate(17)
          .put((byte) 'S')
          .putLong(lease.id())
          .putLong(lease.incarnation())
          .array();
    }
  }

  /** A client without a session: of its outcomes, the last few are kept. */
  record Named(String name) implements Client {

    public static final int MAX_BYTES = 1024;

    public Named {
      Required.within("client length", Bytes.of(name).size(), 0, MAX_BYTES);
    }

    @Override
    public byte[] key() {
      byte[] text = Bytes.of(name).array();
      return ByteBuffer.allocate(3 + text.length)
          .put((byte) 'N')
          .putShort((short) text.length)
          .put(text)
          .array();
    }
  }

  /** Bytes that begin no other client's. */
  byte[] key();
}
