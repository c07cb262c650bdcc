package holdfast.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The settings: their defaults are good, and all that is wrong with them is said at once. */
class HoldfastSettingsTest {

  @Test
  void the_defaults_are_good_and_every_key_of_the_reference_is_read() throws InvalidSettings {
    HoldfastSettings settings = HoldfastSettings.from(ConfigFactory.defaultReference());
    assertEquals(new ListenAddress("127.0.0.1", 7400), settings.grpc());
    assertEquals(48, settings.locks().shards());
  }

  @Test
  void all_faults_are_said_at_once() {
    List<String> faults =
        faults(
            """
            holdfast {
              data-dir = " "
              grpc.port = 70000
              management.port = many
              cluster.host = ""
              locks.max-waiters = 0
              locks.idle-after = 10ms
              locks.sharts = 48
            }
            """);
    assertEquals(7, faults.size(), String.join("\n", faults));
    assertContains(faults, "holdfast.data-dir [ ] is not a path");
    assertContains(faults, "holdfast.grpc.port [70000] is not in [0, 65535]");
    assertContains(faults, "holdfast.management.port cannot be read");
    assertContains(faults, "holdfast.cluster.host [] is not a host name or address");
    assertContains(faults, "holdfast.locks.max-waiters [0] is not in [1, 1500]");
    assertContains(faults, "holdfast.locks.idle-after [10ms] is not in [1000ms, 86400000ms]");
    assertContains(faults, "holdfast.locks.sharts is no setting");
    faults.forEach(fault -> assertEquals(1, fault.lines().count(), fault));
  }

  @Test
  void a_number_that_is_no_int_is_out_of_bounds() {
    assertContains(
        faults("holdfast.grpc.port = 9999999999"),
        "holdfast.grpc.port [9999999999] is not in [0, 65535]");
  }

  @Test
  void a_fraction_is_not_cut_in_silence() {
    assertContains(
        faults("holdfast.locks.shards = 1.5"), "holdfast.locks.shards [1.5] is not a whole number");
  }

  @Test
  void the_operator_s_file_goes_before_the_defaults(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("node.conf"), "holdfast.grpc.port = 17400");
    Config config = ConfigurationFile.load(Optional.of(file));
    assertEquals(17400, HoldfastSettings.from(config).grpc().port());
    assertEquals("cluster", config.getString("akka.actor.provider"));
  }

  @Test
  void a_file_that_is_missing_or_no_configuration_is_one_clear_fault(@TempDir Path folder)
      throws Exception {
    Path missing = folder.resolve("missing.conf");
    assertEquals(
        List.of("the configuration file [" + missing + "] cannot be read"), loadFaults(missing));
    Path broken = Files.writeString(folder.resolve("broken.conf"), "holdfast { grpc.port = \n");
    List<String> faults = loadFaults(broken);
    assertEquals(1, faults.size());
    assertEquals(1, faults.get(0).lines().count(), faults.get(0));
    assertContains(faults, "broken.conf");
  }

  private static List<String> loadFaults(Path file) {
    return assertThrows(InvalidSettings.class, () -> ConfigurationFile.load(Optional.of(file)))
        .faults();
  }

  private static List<String> faults(String text) {
    Config config = ConfigFactory.parseString(text).withFallback(ConfigFactory.defaultReference());
    return assertThrows(InvalidSettings.class, () -> HoldfastSettings.from(config)).faults();
  }

  private static void assertContains(List<String> faults, String wanted) {
    assertTrue(
        faults.stream().anyMatch(fault -> fault.contains(wanted)), String.join("\n", faults));
  }
}
