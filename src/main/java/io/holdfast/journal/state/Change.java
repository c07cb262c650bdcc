package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.Revision;
import org.jspecify.annotations.Nullable;

/**
 * One public change: the record of an id before and after. Changes of one revision belong together
 * and come in the order of their ids.
 *
 * @param before null if the id had no record
 * @param after null if the id has no record any more
 * @param note the writer's note for watches; the journal neither reads nor keeps it
 */
public record Change(
    Revision revision,
    PersistenceId id,
    @Nullable PublicRecord before,
    @Nullable PublicRecord after,
    Bytes note) {}
