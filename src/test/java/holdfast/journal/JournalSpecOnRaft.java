package holdfast.journal;

import akka.persistence.CapabilityFlag;
import akka.persistence.japi.journal.JavaJournalSpec;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Akka's own tests of a journal, over three members on real files and links. */
public final class JournalSpecOnRaft extends JavaJournalSpec {

  private static final long serialVersionUID = 1L;

  private final transient Path root = directory();
  private final transient ThreeMembers members = new ThreeMembers(root);

  public JournalSpecOnRaft() {
    super(ConfigFactory.parseResources("journal-tck.conf").withFallback(ConfigFactory.load()));
    JournalAccess.get(system()).open(members.store(0), id -> FencingAdapter.SHARD);
  }

  @Override
  public void afterAll() {
    super.afterAll();
    members.close();
    try (Stream<Path> files = Files.walk(root)) {
      List<Path> all = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : all) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public CapabilityFlag supportsRejectingNonSerializableObjects() {
    return CapabilityFlag.off(); // a number that is left out would be a gap, and gaps are refused
  }

  private static Path directory() {
    try {
      return Files.createTempDirectory("holdfast-journal");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
