package io.holdfast.cli;

import io.holdfast.v1.SnapshotHeader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/** Shows what a saved snapshot is, after every byte of it was checked. */
final class SnapshotText {

  private SnapshotText() {}

  static void show(Output output, Path file) throws IOException {
    ClusterSnapshotFile.Content content = ClusterSnapshotFile.read(file);
    SnapshotHeader header = content.header();
    String cluster = MemberFields.name(header.getHeader().getClusterId());
    String member = MemberFields.name(header.getHeader().getMemberId());
    String taken = Instant.ofEpochMilli(header.getTakenUnixMs()).toString();
    long size = Files.size(file);
    output.show(
        Fields.of("file", file.toString())
            .and("clusterId", cluster)
            .and("revision", header.getHeader().getRevision())
            .and("term", header.getHeader().getRaftTerm())
            .and("appliedIndex", header.getAppliedIndex())
            .and("generation", header.getGeneration())
            .and("lockCount", header.getLockCount())
            .and("leaseCount", header.getLeaseCount())
            .and("shardCount", header.getShardCount())
            .and("takenAt", taken)
            .and("takenBy", member)
            .and("version", header.getVersion())
            .and("stateFormat", header.getStateFormat())
            .and("stateBytes", content.stateBytes())
            .and("fileBytes", size)
            .and("sha256", content.sum())
            .and("members", header.getMembersList().stream().map(MemberFields::member).toList()),
        "%s: complete, %,d bytes%n".formatted(Shown.text(file.toString()), size)
            + "cluster %s  revision %d  applied %d  generation %d%n"
                .formatted(
                    cluster,
                    header.getHeader().getRevision(),
                    header.getAppliedIndex(),
                    header.getGeneration())
            + "locks %d  leases %d  shards %d  members %d%n"
                .formatted(
                    header.getLockCount(),
                    header.getLeaseCount(),
                    header.getShardCount(),
                    header.getMembersCount())
            + "taken %s by %s, Holdfast %s"
                .formatted(taken, member, Shown.text(header.getVersion())));
  }
}
