package io.holdfast.coordination.following;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.member.CoordinationReplica.Written;
import java.io.NotSerializableException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever services and nodes say of the log arrives as it was sent. */
class LogMessageSerializerTest {

  private static final Bytes BYTES = Bytes.of("entry".getBytes(StandardCharsets.UTF_8));

  private final LogMessageSerializer serializer = new LogMessageSerializer();

  static Stream<LogMessage> messages() {
    return Stream.concat(
        Stream.of(LogMessage.Became.values()).map(each -> new LogMessage.Proposed(3, each)),
        Stream.of(
            new LogMessage.Begin(Long.MAX_VALUE),
            new LogMessage.Follow(),
            new LogMessage.Propose(1, BYTES),
            new LogMessage.Catch(2),
            new LogMessage.ImagePart(7, 0, 5, BYTES),
            new LogMessage.Entries(8, List.of(new Written(9, BYTES), new Written(11, BYTES))),
            new LogMessage.Caught(4, true),
            new LogMessage.Caught(4, false),
            new LogMessage.FollowStatus(LogMessage.FollowStatus.NOTHING, false),
            new LogMessage.FollowStatus(12, true)));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void it_arrives_as_it_was_sent(LogMessage message) throws NotSerializableException {
    byte[] bytes = serializer.toBinary(message);
    assertEquals(message, serializer.fromBinary(bytes, serializer.manifest(message)));
  }

  @Test
  void bytes_that_cannot_be_read_are_refused() {
    byte[] garbage = {-1, -1, -1};
    assertThrows(
        NotSerializableException.class, () -> serializer.fromBinary(garbage, "log.entries.1"));
    assertThrows(
        NotSerializableException.class, () -> serializer.fromBinary(garbage, "log.other.1"));
    assertThrows(IllegalArgumentException.class, () -> serializer.manifest("a text"));
  }
}
