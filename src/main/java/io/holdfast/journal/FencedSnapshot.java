package io.holdfast.journal;

/**
 * A snapshot on its way to the journal, with the epoch under which its actor was made, as in {@link
 * FencedEvent}.
 */
public record FencedSnapshot(int shard, long epoch, Object state) {}
