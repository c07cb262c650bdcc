package io.holdfast.e2e;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.shedlock.HoldfastLockProvider;
import java.nio.file.Path;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** ShedLock's own tests of lock providers, as they are, against a real node. */
@Tag("slow")
public class ShedLockTest extends AbstractExtensibleLockProviderIntegrationTest {

  @TempDir private static Path folder;
  private static NodeUnderTest node;
  private static HoldfastClient client;

  @BeforeAll
  static void start() {
    node = NodeUnderTest.serving(folder);
    client = HoldfastClient.connect(node.grpcAddress());
  }

  @AfterAll
  static void stop() {
    client.close();
    node.close();
  }

  @Override
  protected ExtensibleLockProvider getLockProvider() {
    return new HoldfastLockProvider(client);
  }

  @Override
  protected void assertUnlocked(String name) {
    assertTrue(client.get(name).isFree());
  }

  @Override
  protected void assertLocked(String name) {
    assertFalse(client.get(name).isFree());
  }
}
