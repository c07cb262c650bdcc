package io.holdfast.journal.state;

import org.jspecify.annotations.Nullable;

/**
 * One public change: what everyone may see of an id, before and after. Changes of one revision
 * belong together; they come in the order of their ids.
 *
 * @param before null if the id had no record
 * @param after null if the id has no record any more
 * @param note what the writer wants to say about it; the journal does not look inside, and does not
 *     keep it
 */
public record Change(
    long revision,
    String id,
    @Nullable PublicRecord before,
    @Nullable PublicRecord after,
    Bytes note) {}
