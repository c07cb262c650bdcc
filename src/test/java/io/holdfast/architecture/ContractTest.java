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
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Guards the public contract. Each promise of {@code holdfast.v1} is a line of a golden file: a
 * line that would go or change is a breaking edit. New lines are recorded with {@code
 * -Drewrite=true}, which never takes one away. Which file of the contract has a promise is none.
 */
class ContractTest {

  private static final Path GOLDEN =
      Path.of("src", "test", "resources", "golden", "v1", "contract.txt");
  private static final Path PROTOS = Path.of("src", "main", "protobuf");

  private final Map<String, FileDescriptor> files = new TreeMap<>();

  ContractTest() {
    add(LockServiceProto.getDescriptor());
    add(AdminServiceProto.getDescriptor());
  }

  private void add(FileDescriptor file) {
    files.put(file.getName(), file);
    file.getDependencies().forEach(this::add);
  }

  @Test
  void no_promise_goes_or_changes() throws IOException {
    List<String> broken = new ArrayList<>(recorded());
    assertTrue(!broken.isEmpty() || Boolean.getBoolean("rewrite"), "nothing is recorded");
    broken.removeAll(promises());
    assertEquals(List.of(), broken, "these promises of holdfast.v1 would be broken");
  }

  @Test
  void a_new_promise_is_recorded() throws IOException {
    List<String> promises = promises();
    if (Boolean.getBoolean("rewrite")) {
      no_promise_goes_or_changes();
      Files.write(GOLDEN, promises);
    }
    promises.removeAll(recorded());
    assertEquals(List.of(), promises, "record these with -Drewrite=true");
  }

  @Test
  void every_file_of_the_contract_is_guarded() throws IOException {
    try (Stream<Path> all = Files.list(PROTOS.resolve(Path.of("holdfast", "v1")))) {
      assertEquals(
          all.filter(file -> file.toString().endsWith(".proto"))
              .map(file -> PROTOS.relativize(file).toString())
              .collect(Collectors.toCollection(TreeSet::new)),
          files.keySet());
    }
  }

  private static List<String> recorded() throws IOException {
    return Files.exists(GOLDEN) ? Files.readAllLines(GOLDEN) : List.of();
  }

  private List<String> promises() {
    List<String> lines = new ArrayList<>();
    files.values().forEach(file -> promises(file, lines));
    lines.sort(null);
    return lines;
  }

  private static void promises(FileDescriptor file, List<String> lines) {
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
