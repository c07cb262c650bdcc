package io.holdfast.config;

import io.holdfast.config.member.SettingsReader;

/**
 * The limits on what locks and leases remember and do; part of {@code holdfast.locks} in
 * reference.conf. A node checks a limit against the state that it has applied. So what is under way
 * at other locks and nodes may exceed it by as much.
 *
 * @param requestIdsPerClient outcomes of named requests of one client in one shard
 * @param requestIdsPerShard outcomes of named requests in one shard
 * @param keysPerLease locks that hang on one lease, as holder or waiter
 * @param leases shared leases in the cluster, those of sessions too
 * @param waitingCommands commands that wait for one lock while it reads or writes
 */
public record LockLimits(
    int requestIdsPerClient,
    int requestIdsPerShard,
    int keysPerLease,
    int leases,
    int waitingCommands) {

  static LockLimits from(SettingsReader read) {
    return new LockLimits(
        read.integer("locks.max-request-ids-per-client", 16, 65_536),
        read.integer("locks.max-request-ids-per-shard", 1_024, 65_536),
        read.integer("locks.max-keys-per-lease", 1, 1_000_000),
        read.integer("locks.max-leases", 1, 10_000_000),
        read.integer("locks.max-waiting-commands", 128, 65_536));
  }
}
