package io.holdfast.grpc.translate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.rpc.Status;
import io.grpc.protobuf.StatusProto;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The code that knows the codes, the contract and the documents say the same. */
class StatusMappingTest {

  private static final Path PROTO =
      Path.of("src", "main", "protobuf", "holdfast", "v1", "refusals.proto");
  private static final Path DOCUMENT = Path.of("docs", "errors.md");

  @Test
  void codes_are_the_same_in_the_contract() throws IOException {
    Map<String, String> contract = new TreeMap<>();
    // The comment right before a reason names its code; the limits name theirs once, for all.
    Matcher reason =
        Pattern.compile("((?:^ *//.*\n)+) *(REASON_\\w+) = (\\d+);", Pattern.MULTILINE)
            .matcher(Files.readString(PROTO));
    while (reason.find()) {
      int number = Integer.parseInt(reason.group(3));
      Matcher code = Pattern.compile("// ([A-Z_]{2,})\\. ").matcher(reason.group(1));
      if (number >= 60 && number < 80) {
        contract.put(reason.group(2), "RESOURCE_EXHAUSTED");
      } else if (code.find()) {
        contract.put(reason.group(2), code.group(1));
      }
    }
    assertEquals(contract, mapping());
  }

  @Test
  void each_reason_has_a_row_in_the_document() throws IOException {
    Map<String, String> document = new TreeMap<>();
    Matcher row =
        Pattern.compile("^\\| (REASON_\\w+) \\| (\\w+) \\| (\\w+) \\|", Pattern.MULTILINE)
            .matcher(Files.readString(DOCUMENT));
    while (row.find()) {
      document.put(row.group(1), row.group(2) + " " + row.group(3));
    }
    Map<String, String> expected = new TreeMap<>();
    mapping()
        .forEach(
            (reason, code) ->
                expected.put(
                    reason,
                    code
                        + " "
                        + StatusMapping.effect(Reason.valueOf(reason))
                            .name()
                            .substring("EFFECT_".length())));
    assertEquals(expected, document);
  }

  @Test
  void a_reason_of_answers_has_no_error_code() {
    assertThrows(IllegalArgumentException.class, () -> StatusMapping.code(Reason.REASON_LOCKED));
  }

  @Test
  void an_error_carries_its_refusal() throws Exception {
    Status status =
        Objects.requireNonNull(
            StatusProto.fromThrowable(StatusMapping.error(Reason.REASON_NOT_HOLDER, "why")));
    Refusal refusal = status.getDetails(0).unpack(Refusal.class);
    assertEquals(Reason.REASON_NOT_HOLDER, refusal.getReason());
    assertEquals(status.getCode(), refusal.getCode());
    assertEquals("why", refusal.getMessage());
  }

  private static Map<String, String> mapping() {
    return Stream.of(Reason.values())
        .filter(StatusMappingTest::isError)
        .collect(
            Collectors.toMap(
                Reason::name, r -> StatusMapping.code(r).name(), (a, b) -> a, TreeMap::new));
  }

  private static boolean isError(Reason reason) {
    try {
      StatusMapping.code(reason);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
