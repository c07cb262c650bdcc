package io.holdfast.bench.floods;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A header block, as HPACK without Huffman's code; the tables are used only on request. */
final class HeaderBlock {

  private final ByteArrayOutputStream block = new ByteArrayOutputStream();

  /** The headers of a gRPC call. */
  static HeaderBlock call(String path) {
    return new HeaderBlock()
        .bytes(0x83, 0x86) // POST, http
        .field(":path", path)
        .field(":authority", "localhost")
        .field("content-type", "application/grpc")
        .field("te", "trailers");
  }

  /** A field that no table keeps. */
  HeaderBlock field(String name, String value) {
    block.write(0x00);
    text(name);
    text(value);
    return this;
  }

  /** A field that the receiver keeps in its table, as the newest. */
  HeaderBlock kept(String name, String value) {
    block.write(0x40);
    text(name);
    text(value);
    return this;
  }

  /** The newest field of the receiver's table, so many times, a byte each. */
  HeaderBlock newest(int times) {
    for (int i = 0; i < times; i++) {
      block.write(0x80 | 62);
    }
    return this;
  }

  HeaderBlock bytes(int... bytes) {
    for (int each : bytes) {
      block.write(each);
    }
    return this;
  }

  byte[] encoded() {
    return block.toByteArray();
  }

  private void text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    if (bytes.length < 127) {
      block.write(bytes.length);
    } else {
      block.write(127);
      int rest = bytes.length - 127;
      while (rest >= 128) {
        block.write(rest % 128 + 128);
        rest /= 128;
      }
      block.write(rest);
    }
    block.writeBytes(bytes);
  }
}
