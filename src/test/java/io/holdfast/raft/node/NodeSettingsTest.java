package io.holdfast.raft.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.raft.core.Settings;
import io.holdfast.raft.log.LogSettings;
import org.junit.jupiter.api.Test;

class NodeSettingsTest {

  private static final LogSettings SMALL = new LogSettings(64 << 10, 16 << 10, 64 << 10);

  @Test
  void a_proposal_size_beyond_a_segment_is_refused_at_the_start() {
    int most = SMALL.maxPayloadBytes();
    assertEquals(most, settings(most).core().maxProposalBytes());
    assertThrows(IllegalArgumentException.class, () -> settings(most + 1));
  }

  private static NodeSettings settings(int maxProposalBytes) {
    Settings core = Settings.LOCAL.withMaxProposalBytes(maxProposalBytes);
    return new NodeSettings(core, SMALL, 16, 1 << 20, 50, 125);
  }
}
