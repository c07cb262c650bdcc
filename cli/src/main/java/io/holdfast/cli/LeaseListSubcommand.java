package io.holdfast.cli;

import com.google.protobuf.ByteString;
import io.holdfast.client.HoldfastClient;
import io.holdfast.v1.LeaseRecord;
import io.holdfast.v1.ListLeasesRequest;
import io.holdfast.v1.ListLeasesResponse;
import io.holdfast.v1.LockServiceGrpc;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code holdfast lease list}. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "Lists the shared leases that are alive, those of sessions among them.",
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast lease list", "  holdfast lease list --all --output json"})
final class LeaseListSubcommand implements Callable<Integer> {

  @Mixin private final LockConnection connection = new LockConnection();
  @Mixin private final Output output = new Output();
  @Mixin private final PageOption pages = new PageOption();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    try (HoldfastClient client = connection.open()) {
      pages.show((limit, from) -> page(client, limit, from), Notices.of(spec));
    }
    return ExitCode.OK.number();
  }

  private ByteString page(HoldfastClient client, int limit, ByteString from) {
    ListLeasesResponse page =
        client
            .calls()
            .read(
                LockServiceGrpc.getListLeasesMethod(),
                ListLeasesRequest.newBuilder().setPageSize(limit).setPageToken(from).build());
    output.show(
        Fields.of("revision", page.getHeader().getRevision())
            .and("leases", page.getLeasesList().stream().map(LeaseListSubcommand::fields).toList())
            .andIf(
                !page.getNextPageToken().isEmpty(),
                "nextPage",
                PageOption.write(page.getNextPageToken())),
        ansi -> table(page, ansi));
    return page.getNextPageToken();
  }

  private static Fields fields(LeaseRecord lease) {
    return Fields.of("leaseId", lease.getLeaseId())
        .and("incarnation", lease.getIncarnation())
        .and("ttlMs", lease.getGrantedTtlMs())
        .and("keyCount", lease.getKeyCount())
        .and("session", lease.getSession())
        .and("clientId", lease.getClientId());
  }

  private static String table(ListLeasesResponse page, Ansi ansi) {
    Grid grid = new Grid("LEASE", "TTL", "KEYS", "OF", "CLIENT");
    page.getLeasesList()
        .forEach(
            lease ->
                grid.row(
                    lease.getLeaseId(),
                    lease.getGrantedTtlMs() + " ms",
                    lease.getKeyCount(),
                    lease.getSession() ? "session" : "request",
                    lease.getClientId()));
    return grid.text(ansi);
  }
}
