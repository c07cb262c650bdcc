package io.holdfast.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import io.holdfast.v1.AdminServiceProto;
import io.holdfast.v1.LockServiceProto;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Guards the public contract. Each promise of {@code holdfast.v1} is a line of a golden file: a
 * line that would go or change is a breaking edit. New lines are recorded with {@code
 * -Drewrite=true}, which never takes one away.
 */
class ContractTest {

  private static final Path GOLDEN = Path.of("src", "test", "resources", "golden", "v1");

  /** Each file of the contract, and where its promises are recorded. */
  private static final Map<String, FileDescriptor> FILES =
      Map.of(
          "lock_service.txt", LockServiceProto.getDescriptor(),
          "admin_service.txt", AdminServiceProto.getDescriptor());

  @ParameterizedTest
  @ValueSource(strings = {"lock_service.txt", "admin_service.txt"})
  void nothing_that_was_promised_goes_or_changes(String file) throws IOException {
    List<String> broken = new ArrayList<>(recorded(file));
    assertTrue(!broken.isEmpty() || Boolean.getBoolean("rewrite"), "nothing is recorded");
    broken.removeAll(promises(file));
    assertEquals(List.of(), broken, "these promises of holdfast.v1 would be broken");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lock_service.txt", "admin_service.txt"})
  void what_is_new_is_recorded(String file) throws IOException {
    List<String> promises = promises(file);
    if (Boolean.getBoolean("rewrite")) {
      nothing_that_was_promised_goes_or_changes(file);
      Files.write(GOLDEN.resolve(file), promises);
    }
    promises.removeAll(recorded(file));
    assertEquals(List.of(), promises, "record these with -Drewrite=true");
  }

  private static List<String> recorded(String file) throws IOException {
    Path golden = GOLDEN.resolve(file);
    return Files.exists(golden) ? Files.readAllLines(golden) : List.of();
  }

  private static List<String> promises(String name) {
    FileDescriptor file = Objects.requireNonNull(FILES.get(name));
    List<String> lines = new ArrayList<>();
    for (ServiceDescriptor service : file.getServices()) {
      service
          .getMethods()
          .forEach(
              method ->
                  lines.add(
                      "rpc %s (%s%s) returns (%s%s)"
                          .formatted(
                              method.getFullName(),
                              method.isClientStreaming() ? "stream " : "",
                              method.getInputType().getFullName(),
                              method.isServerStreaming() ? "stream " : "",
                              method.getOutputType().getFullName())));
    }
    file.getMessageTypes().forEach(message -> message(message, lines));
    file.getEnumTypes().forEach(type -> values(type, lines));
    lines.sort(null);
    return lines;
  }

  private static void message(Descriptor message, List<String> lines) {
    message.getFields().forEach(field -> lines.add(field(field)));
    message
        .toProto()
        .getReservedNameList()
        .forEach(name -> lines.add("reserved %s.%s".formatted(message.getFullName(), name)));
    message.getNestedTypes().forEach(nested -> message(nested, lines));
    message.getEnumTypes().forEach(type -> values(type, lines));
  }

  private static String field(FieldDescriptor field) {
    var oneof = field.getRealContainingOneof();
    return "field %s = %d %s%s%s%s"
        .formatted(
            field.getFullName(),
            field.getNumber(),
            field.isRepeated() ? "repeated " : "",
            field.toProto().getProto3Optional() ? "optional " : "",
            type(field),
            oneof == null ? "" : " in " + oneof.getName());
  }

  private static String type(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case MESSAGE -> field.getMessageType().getFullName();
      case ENUM -> field.getEnumType().getFullName();
      default ->
          field
              .toProto()
              .getType()
              .name()
              .substring("TYPE_".length())
              .toLowerCase(java.util.Locale.ROOT);
    };
  }

  private static void values(EnumDescriptor type, List<String> lines) {
    type.getValues()
        .forEach(
            value ->
                lines.add(
                    "value %s.%s = %d"
                        .formatted(type.getFullName(), value.getName(), value.getNumber())));
  }
}
