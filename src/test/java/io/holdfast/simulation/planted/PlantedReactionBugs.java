package io.holdfast.simulation.planted;

import java.util.List;

/** All planted bugs of the order in which a member carries out what its core wants. */
final class PlantedReactionBugs {

  static final List<PlantedBug> ALL =
      List.of(
          PlantedBug.of(
              "confirms to the leader before the sync",
              "node/Reactions",
              "    sync();\n    if (owesConfirmation) {",
              "    sendHeld(written);\n    sync();\n    if (owesConfirmation) {"),
          PlantedBug.of(
              "counts its own disk before the sync",
              "node/Reactions",
              "    host.sync(() -> synced(upTo));",
              "    core.persisted(upTo);\n    host.sync(() -> synced(upTo));"),
          PlantedBug.of(
              "takes a sync for one of what was written meanwhile",
              "node/Reactions",
              "    sendHeld(upTo);\n    core.persisted(upTo);",
              "    sendHeld(written);\n    core.persisted(written);"),
          PlantedBug.of(
                  "answers reads before it applies",
                  "node/Reactions",
                  """
                      for (ReadOutcome outcome : ready.reads()) {
                        host.ended(outcome);
                      }
                  """,
                  "")
              .and(
                  "  private void apply(Ready ready) {\n",
                  "  private void apply(Ready ready) {\n    ready.reads().forEach(host::ended);\n"),
          PlantedBug.of(
                  "answers proposals before it applies",
                  "node/Reactions",
                  """
                      for (ProposalOutcome outcome : ready.outcomes()) {
                        host.ended(outcome);
                      }
                  """,
                  "")
              .and(
                  "  private void apply(Ready ready) {\n",
                  """
                    private void apply(Ready ready) {
                      ready.outcomes().forEach(host::ended);
                  """),
          PlantedBug.of(
                  "restores after it applied",
                  "node/Reactions",
                  """
                      List<Entry> committed = ready.committed();
                      committed.forEach(host::apply);
                  """,
                  """
                      List<Entry> committed = ready.committed();
                      committed.forEach(host::apply);
                      if (ready.restore() != null) {
                        host.restore(ready.restore());
                      }
                  """)
              .and(
                  """
                    private void apply(Ready ready) {
                      if (ready.restore() != null) {
                        host.restore(ready.restore());
                      }
                  """,
                  "  private void apply(Ready ready) {\n"));

  private PlantedReactionBugs() {}
}
